import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEngine } from 'holdfast';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';

const bin = fileURLToPath(new URL('../../packages/cli/bin/holdfast.js', import.meta.url));
const rounds = 15;
const runs = 100;

/** How long the command line takes from the shell to its last byte: the middle of some rounds, in new processes. */
export async function startup(): Promise<Report> {
  return inScratch(async (folder) => {
    const store = `sqlite:${join(folder, 'bench.db')}` as const;
    const engine = await openEngine(store);
    for (let index = 0; index < runs; index += 1) await engine.journal.append(`run-${index}`, { payload: index });
    await engine.close();
    return {
      settings: { rounds, runs, node: process.version },
      figures: [
        { name: 'node itself', value: medianMs(['-e', '0']), unit: 'ms' },
        { name: 'holdfast --help', value: medianMs([bin, '--help']), unit: 'ms', atMost: 150 },
        { name: 'holdfast runs, sqlite', value: medianMs([bin, 'runs', '--store', store]), unit: 'ms', atMost: 150 },
        {
          name: 'holdfast journal, sqlite',
          value: medianMs([bin, 'journal', 'run-7', '--store', store]),
          unit: 'ms',
          atMost: 150,
        },
      ],
    };
  });
}

function medianMs(args: readonly string[]): number {
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - startedAt;
  });
  return median(times);
}
