import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Engine, openEngine, type StoreUrl } from 'holdfast';
import { withServer } from './postgres/bench-server.ts';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { takeoverOfPeers } from './takeover-peers.ts';
import { tickingLoop } from './ticking-loop.ts';
import { median } from './timing.ts';

const rounds = 5;
/** How often the run is looked at. */
const lookMs = 5;

/** How long a run stands still when the process that executes it ends, with another worker on the same store. */
export async function takeover(): Promise<Report> {
  const sqlite = await inScratch((folder) => takeoverOn(`sqlite:${join(folder, 'bench.db')}`));
  return withServer(async (server) => {
    const postgres = await takeoverOn(server.url('bench'));
    const theirs = await takeoverOfPeers(server);
    return {
      settings: sqlite.settings,
      figures: [...named('sqlite', sqlite), ...named('postgres', postgres), ...theirs],
    };
  });
}

async function takeoverOn(url: StoreUrl): Promise<Report> {
  await using engine = await openEngine(url, { executes: false });
  const killed: number[] = [];
  const ended: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    killed.push(await standstill(engine, url, 'SIGKILL'));
    ended.push(await standstill(engine, url, 'SIGTERM'));
  }
  return {
    settings: { rounds, leaseMs: 'default', step: '20 ms', node: process.version },
    figures: [
      { name: 'after SIGKILL, median', value: median(killed), unit: 'ms' },
      { name: 'after SIGKILL, worst', value: Math.max(...killed), unit: 'ms', atMost: 1_000 },
      { name: 'after SIGTERM, median', value: median(ended), unit: 'ms' },
      { name: 'after SIGTERM, worst', value: Math.max(...ended), unit: 'ms', atMost: 300 },
    ],
  };
}

/** Lets one worker execute a run, ends it so, and tells how long it takes another to commit the run's next step. */
async function standstill(engine: Engine, url: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<number> {
  const holder = await startWorker(url);
  const run = await engine.submit(tickingLoop, {}, { maxSupersteps: 1_000_000 });
  const head = async (): Promise<number> => (await run.summary()).head;
  while ((await head()) < 10) await delay(lookMs);
  const heir = await startWorker(url);
  await delay(500);
  const startedAt = performance.now();
  holder.kill(signal);
  await once(holder, 'exit');
  const last = await head();
  while ((await head()) <= last) await delay(lookMs);
  const ms = performance.now() - startedAt;
  await run.cancel();
  heir.kill('SIGTERM');
  await once(heir, 'exit');
  return ms;
}

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL('takeover-child.js', import.meta.url)), [url]);
  await once(worker, 'message');
  return worker;
}

function named(store: string, { figures }: Report): Report['figures'] {
  return figures.map((figure) => ({ ...figure, name: `${store}: ${figure.name}` }));
}
