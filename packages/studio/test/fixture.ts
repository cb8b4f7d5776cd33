// The studio on a real store, in a real browser.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type RunningServer, type ServeOptions, serve } from '@holdfast/server';
import { type Engine, openEngine } from 'holdfast';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openPage } from '../../../test/browser/launch.ts';
import { studio } from '../src/index.ts';
import { graphs, ingest, onboarding, refunds, triage } from './graphs.ts';

const root = resolve(import.meta.dirname, '../../..');

/** A server with the studio, on a new SQLite store. */
export interface ServedStudio {
  readonly engine: Engine;
  readonly server: RunningServer;
  /** Opens a page of the studio in a browser that has the token. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}

/** Serves the studio. */
export async function servedStudio(options: ServeOptions = {}): Promise<ServedStudio> {
  execFileSync(process.execPath, ['scripts/bundle.mjs', 'studio'], { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-studio-'));
  const engine = await openEngine(`sqlite:${join(folder, 'runs.db')}`, { graphs: Object.values(graphs) });
  const server = await serve(engine, { graphs, pages: studio(), ...options });
  onTestFinished(async () => {
    await server.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { engine, server, open: (path, browser) => openAt(server, path, browser) };
}

async function openAt(server: RunningServer, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openPage({ ...options });
  await page.goto(`http://127.0.0.1:${server.port}/${path}${path.includes('?') ? '&' : '?'}token=${server.token}`);
  await page.waitForSelector('.head, .runhead, .state');
  return page;
}

/** Runs of every status. */
export async function fillStore(engine: Engine): Promise<void> {
  for (const [id, text] of [
    ['triage-4459', 'a bug'],
    ['triage-4468', '?what'],
    ['triage-4471', '?who'],
  ] as const)
    await engine.start(triage, { text }, { id, tags: { region: 'us' } }).outcome();
  for (const [id, cents] of [
    ['ord_81', 12_000],
    ['ord_87', 8_990],
    ['ord_93', 31_000],
  ] as const)
    await engine.start(refunds, { order: id, cents }, { id, tags: { region: 'eu', tier: 'gold' } }).outcome();
  const approved = engine.get(refunds, 'ord_81');
  await approved.answer('approval', { ok: true }, { by: 'ada' });
  await approved.result();
  await approved.fork({ id: 'what-if-50', set: { cents: 5_000 }, label: 'what-if-50' });
  await sleeping(engine, 'onb_k7ez', 'lin@example.com');
  await sleeping(engine, 'onb_k7f2', 'a@example.com');
  await engine.get('onb_k7f2').cancel('wrong address');
  await engine.start(ingest, { chunks: 1_204 }, { id: 'ing-7c41', tags: { tenant: 'acme' } });
}

/** A run that waits for a date: no outcome comes before it. */
async function sleeping(engine: Engine, id: string, email: string): Promise<void> {
  const run = engine.start(onboarding, { email }, { id, tags: { plan: 'vip' } });
  await expect.poll(async () => (await run.summary()).status).toBe('waiting');
}
