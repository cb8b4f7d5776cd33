import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEngine } from 'holdfast';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';

const core = new URL('../../packages/core/dist/index.js', import.meta.url).href;
const bin = fileURLToPath(new URL('../../packages/cli/bin/holdfast.js', import.meta.url));
const rounds = 21;
const runs = 100;

/** The command lines that are measured beside an empty Node, and how many times its time each may take. */
const commands = [
  { name: 'holdfast --help', args: ['--help'], atMost: 1.6 },
  { name: 'holdfast runs, sqlite', args: ['runs'], atMost: 2.5 },
  { name: 'holdfast journal, sqlite', args: ['journal', 'run-7'], atMost: 2.5 },
] as const;

/**
 * How long the command line takes from the shell to its last byte, in new processes, in times of what Node itself takes. They
 * take turns, so that whatever else the machine does slows all of them.
 */
export async function startup(): Promise<Report> {
  return inScratch(async (folder) => {
    const store = `sqlite:${join(folder, 'bench.db')}` as const;
    const engine = await openEngine(store);
    for (let index = 0; index < runs; index += 1) await engine.journal.append(`run-${index}`, { payload: index });
    await engine.close();
    const env = { ...process.env, HOLDFAST_STORE: store };
    const times = Array.from({ length: rounds }, () => ({
      node: msOf(['-e', '0'], env),
      importing: importMs(env),
      commands: commands.map(({ args }) => msOf([bin, ...args], env)),
    }));
    const node = median(times.map((round) => round.node));
    const figures = commands.map(({ name, atMost }, index) => {
      const value = median(times.map((round) => round.commands[index] ?? Number.NaN)) / node;
      return { name: `${name} ÷ node`, value, unit: 'ratio', atMost };
    });
    return {
      settings: { rounds, runs, node: process.version },
      figures: [
        { name: 'node itself', value: node, unit: 'ms' },
        ...figures,
        { name: 'import of core', value: median(times.map(({ importing }) => importing)), unit: 'ms', atMost: 30 },
      ],
    };
  });
}

/** How long a new process takes to import the core. */
function importMs(env: NodeJS.ProcessEnv): number {
  const script = `const at = performance.now(); await import('${core}'); console.log(performance.now() - at)`;
  return Number(spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env }).stdout);
}

function msOf(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}
