// Four workers share the runs of one store, and one of them is killed. The program is the same on every store:
//   node fleet.js sqlite:fleet.db
//   node fleet.js postgres://user:password@host/database
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openEngine, type StoreUrl, workflow } from 'holdfast';
import { z } from 'zod';

const chapters = 6;
const writers = new EventEmitter();
const report = workflow('report', { input: z.object({ city: z.string() }) }, async ({ city }, { step }) => {
  const pages: string[] = [];
  for (let chapter = 1; chapter <= chapters; chapter += 1) {
    const page = await step(`chapter ${chapter}`, async () => {
      console.log(`${city} ${chapter}`);
      await setTimeout(50);
      return `${city}, chapter ${chapter}`;
    });
    pages.push(page);
  }
  return pages;
});

const [, , store, role] = process.argv as readonly string[] as readonly [string, string, StoreUrl, string?];
await (role === 'worker' ? work() : lead());

/** One process of the fleet. It works until it is told to end. */
async function work(): Promise<void> {
  const engine = await openEngine(store, { graphs: [report] });
  console.log('ready');
  await engine.work({ concurrency: 4, signals: true }).done;
  await engine.close();
}

/** Starts the workers and the runs, kills a worker in the middle of its work, and waits for the reports. */
async function lead(): Promise<void> {
  const engine = await openEngine(store, { executes: false });
  const written: string[] = [];
  const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker(written)));
  const cities = Array.from({ length: 12 }, (_, at) => `City-${at + 1}`);
  const runs = await Promise.all(cities.map((city) => engine.submit(report, { city }, { id: city })));

  // A worker that has written something has the next chapter in hand.
  const [victim] = (await once(writers, 'chapter')) as [ChildProcess];
  victim.kill('SIGKILL');
  console.log('A worker was killed in the middle of a chapter.');

  const reports = await Promise.all(runs.map((run) => run.result()));
  console.log(
    `${reports.length} reports of ${chapters} chapters, ${reports.every(isWhole) ? 'all' : 'NOT ALL'} whole.`,
  );
  // Only what a dead worker had not finished is written again.
  const again = written.length - new Set(written).size;
  console.log(again <= 4 ? 'No finished chapter was written twice.' : `${again} chapters were written again.`);

  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map(ended));
  await engine.close();
}

async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'close');
}

function isWhole(pages: readonly string[], at: number): boolean {
  return pages.every((page, chapter) => page === `City-${at + 1}, chapter ${chapter + 1}`);
}

/** Resolves when the worker is ready. Notes what it writes. */
function startWorker(written: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), store, 'worker'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') return resolve(child);
      written.push(line);
      writers.emit('chapter', child);
    });
  });
}
