import { setTimeout as sleep } from 'node:timers/promises';
import { openEngine } from 'holdfast';
import type { Report } from '../report.ts';
import { median } from '../timing.ts';
import { trivialLoop } from '../trivial-graph.ts';
import { withServer } from './bench-server.ts';

const workers = 50;
const idleMs = 30_000;
const submits = 10;

/** What 50 workers ask for when there is nothing to do, and what one submit makes them ask for. */
export async function pgIdle(): Promise<Report> {
  return withServer(async ({ cluster, proxied, url }) => {
    const loop = trivialLoop(1);
    const engines = await Promise.all(
      Array.from({ length: workers }, () => openEngine(proxied('bench'), { graphs: [loop] })),
    );
    for (const engine of engines) engine.work();
    const trips = cluster.proxies[0]?.trips ?? [];
    await sleep(10_000);
    let before = trips.length;
    await sleep(idleMs);
    const idle = trips.slice(before).filter((sql) => sql !== undefined).length;
    await using web = await openEngine(url('bench'), { executes: false });
    const claims: number[] = [];
    const startMs: number[] = [];
    for (let at = 0; at < submits; at += 1) {
      before = trips.length;
      const startedAt = performance.now();
      const run = await web.submit(loop, {});
      await run.outcome();
      startMs.push(performance.now() - startedAt);
      await sleep(300);
      claims.push(trips.slice(before).filter((sql) => sql?.includes('RECURSIVE t AS') === true).length);
    }
    await Promise.all(engines.map((engine) => engine.close()));
    return {
      settings: { workers, idleMs, submits, node: process.version },
      figures: [
        {
          name: `queries of ${workers} idle workers together`,
          value: (1_000 * idle) / idleMs,
          unit: 'per second',
          atMost: 25,
        },
        { name: 'queries for due runs after one submit', value: median(claims), unit: 'queries', atMost: 5 },
        {
          name: 'submit to the end of a run of one super-step, median',
          value: median(startMs),
          unit: 'ms',
          atMost: 100,
        },
      ],
    };
  });
}
