// A studio as users have it: the built pages, served beside an engine on a SQLite store, in a real browser.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serve } from '@holdfast/server';
import { type Engine, openEngine } from 'holdfast';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openPage } from '../../../../test/browser/launch.ts';
import { studio } from '../../src/index.ts';
import { refunds } from './refunds.ts';

const root = resolve(import.meta.dirname, '../../../..');

let isBuilt = false;

/** Builds the pages, once for all tests of this file. */
function buildPages(): void {
  if (!isBuilt)
    execFileSync(process.execPath, ['scripts/bundle.mjs', 'studio'], {
      cwd: root,
    });
  isBuilt = true;
}

/** A studio that runs. */
export interface Here {
  readonly engine: Engine;
  /** The URL of its store, for other workers. */
  readonly store: string;
  /** Opens a page of the studio in a browser that has the token. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Starts a studio, until the test has finished. */
export async function studioOn(): Promise<Here> {
  buildPages();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-run-page-'));
  const store = `sqlite:${join(folder, 'runs.db')}` as const;
  const engine = await openEngine(store, {
    graphs: [refunds()],
    workerId: 'second',
  });
  const server = await serve(engine, {
    graphs: { refunds: refunds() },
    pages: studio(),
    by: 'lin',
  });
  onTestFinished(async () => {
    await server.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    engine,
    store,
    async open(path, options) {
      const page = await openPage(options);
      await page.goto(`http://127.0.0.1:${server.port}/?token=${server.token}`);
      await page.goto(`http://127.0.0.1:${server.port}/${path}`);
      await page.waitForSelector('.runhead, .state');
      return page;
    },
  };
}
