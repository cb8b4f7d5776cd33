// A studio as users have it: the built pages, served beside an engine on a real store, in a real browser.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { type RunningServer, type ServeOptions, serve } from '@holdfast/server';
import { type AnyGraph, type Engine, type EngineOptions, openEngine } from 'holdfast';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openPage } from '../../../../test/browser/launch.ts';
import { studio } from '../../src/index.ts';
import { graphs as sceneGraphs } from '../scene/graphs.ts';
import { newStoreUrl } from './stores.ts';

const root = resolve(import.meta.dirname, '../../../..');

let isBuilt = false;

/** Builds the pages, once for all tests of a process. */
function buildPages(): void {
  if (!isBuilt) execFileSync(process.execPath, ['scripts/bundle.mjs', 'studio'], { cwd: root });
  isBuilt = true;
}

/** What may be different about a studio. */
export interface StudioOptions extends Omit<ServeOptions, 'pages' | 'graphs'> {
  readonly graphs?: readonly AnyGraph[];
  readonly engine?: EngineOptions;
  /** An existing store. Default: a new one. */
  readonly store?: string;
}

/** A studio that runs. */
export interface Studio {
  readonly engine: Engine;
  readonly server: RunningServer;
  /** The URL of its store, for other workers. */
  readonly store: string;
  /** Opens a page in a browser that has the token. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}

/** Serves the studio until the test has finished. */
export async function studioHere(options: StudioOptions = {}): Promise<Studio> {
  buildPages();
  const { graphs = Object.values(sceneGraphs), engine: engineOptions, store, ...rest } = options;
  const url = (store ?? (await newStoreUrl())) as 'memory:';
  const engine = await openEngine(url, { graphs, workerId: 'second', ...engineOptions });
  const byName = Object.fromEntries(graphs.map((graph) => [graph.name, graph]));
  const server = await serve(engine, {
    graphs: byName,
    pages: studio({ store: 'sqlite:.holdfast/holdfast.db' }),
    by: 'lin',
    ...rest,
  });
  onTestFinished(async () => {
    await server.close();
    await engine.close();
  });
  return { engine, server, store: url, open: (path, browser) => openAt(server, path, browser) };
}

async function openAt(server: RunningServer, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openPage(options);
  await page.goto(`http://127.0.0.1:${server.port}/${path}${path.includes('?') ? '&' : '?'}token=${server.token}`);
  await page.waitForSelector('.head, .runhead, .state');
  return page;
}
