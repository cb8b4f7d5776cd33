import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openEngine } from 'holdfast';
import type { Report } from '../report.ts';
import { trivialLoop } from '../trivial-graph.ts';
import { withServer } from './bench-server.ts';

const processes = 8;
const runs = 10_000;
const limit = 16;

/** Eight processes claim 10,000 due runs, 16 at a time: how many per second, and none twice. */
export async function pgClaim(): Promise<Report> {
  return withServer(async ({ url }) => {
    await using engine = await openEngine(url('bench'), { executes: false });
    const loop = trivialLoop(1);
    for (let from = 0; from < runs; from += 100) {
      await Promise.all(Array.from({ length: 100 }, () => engine.submit(loop, {})));
    }
    const children = Array.from({ length: processes }, () =>
      fork(fileURLToPath(new URL('pg-claim-child.js', import.meta.url)), [url('bench'), String(limit)]),
    );
    await Promise.all(children.map((child) => once(child, 'message')));
    const startedAt = performance.now();
    const claimed = (await Promise.all(children.map(claimAll))).flat();
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      settings: { processes, runs, limit, fsync: 'on', node: process.version },
      figures: [
        { name: 'runs claimed', value: runs / seconds, unit: 'runs/s', atLeast: 10_000 },
        { name: 'claimed twice', value: claimed.length - new Set(claimed).size, unit: 'runs', atMost: 0 },
        { name: 'not claimed', value: runs - new Set(claimed).size, unit: 'runs', atMost: 0 },
      ],
    };
  });
}

async function claimAll(child: ChildProcess): Promise<readonly string[]> {
  child.send('go');
  const [claimed] = (await once(child, 'message')) as [readonly string[]];
  return claimed;
}
