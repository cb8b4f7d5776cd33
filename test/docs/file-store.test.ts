// docs/file-store.md says that everything in it was printed by the commands shown. They are carried out here, in order.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openEngineIn } from '../../packages/core/src/engine/open.ts';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { fileStore } from '../../packages/core/src/store/file/open.ts';
import { seededRandom } from '../../packages/core/src/testing/seeded-random.ts';
import { codeBlocks } from './code-blocks.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

let now = Date.parse('2026-03-02T09:00:00Z');
const clock = { ...nodeEnv.clock, now: () => now };
const env = { ...nodeEnv, clock, random: seededRandom(42) };

/** Each of these a second after the one before, all in one opening of the store. */
async function write(
  ...writes: readonly ((engine: Awaited<ReturnType<typeof openEngineIn>>) => Promise<unknown>)[]
): Promise<void> {
  const engine = await openEngineIn(env, fileStore(join(folder, 'agents')));
  for (const each of writes) {
    await each(engine);
    now += 1_000;
  }
  await engine.close();
}

/** A command of the page and what stands below it. */
interface Command {
  readonly command: string;
  readonly output: string;
}

function commands(): readonly Command[] {
  const blocks = codeBlocks('docs/file-store.md').filter(({ language }) => language === 'console');
  return blocks.flatMap(({ code }) =>
    [...code.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n?)*)/gm)].map(([, command = '', output = '']) => ({
      command,
      output: output.trim(),
    })),
  );
}

/** What the commands print, one after the other in one shell. */
function carryOut(all: readonly Command[]): readonly string[] {
  const mark = '----- next -----';
  const script = all.map(({ command }) => `${command}\necho '${mark}'`).join('\n');
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout
    .split(`${mark}\n`)
    .slice(0, -1)
    .map((output) => output.trim());
}

function git(...values: readonly string[]): void {
  const who = ['-c', 'user.name=docs', '-c', 'user.email=docs@example.com'];
  execFileSync('git', [...who, ...values], { cwd: join(folder, 'agents'), stdio: 'ignore' });
}

const hasJq = spawnSync('jq', ['--version']).status === 0;

test.runIf(hasJq)(
  'every command of docs/file-store.md prints what stands below it (where jq is installed)',
  async () => {
    await write(
      ({ journal }) => journal.append('trip-42', { source: 'input', payload: { ask: 'A weekend in Porto for two' } }),
      ({ journal }) =>
        journal.append('trip-42', { id: 'flights', source: 'tool', payload: { from: 'BER', to: 'OPO', price: 184 } }),
      ({ checkpoints }) => checkpoints.save('trip-42', { state: { stage: 'hotel', flights: 184 }, superstep: 1 }),
      ({ journal }) => journal.append('trip-42', { source: 'output', payload: 'Flights found. Looking for a hotel.' }),
      ({ journal }) => journal.append('trip-43', { source: 'input', payload: { ask: 'Lisbon by train' } }),
    );
    const all = commands();
    const [looking, inGit] = [
      all.filter(({ command }) => !isGit(command)),
      all.filter(({ command }) => isGit(command)),
    ];
    expect([looking.length, inGit.length]).toEqual([9, 1]);
    expect(carryOut(looking)).toEqual(looking.map(({ output }) => output));

    git('init');
    git('add', '.');
    git('commit', '-m', 'before');
    await write(({ journal }) =>
      journal.append('trip-43', { source: 'output', payload: 'The night train leaves at 21:25.' }),
    );
    const inside = inGit.map(({ command, output }) => ({ command: `cd agents && ${command}`, output }));
    expect(carryOut(inside)).toEqual(inside.map(({ output }) => output));
  },
);

function isGit(command: string): boolean {
  return command.startsWith('git ');
}
