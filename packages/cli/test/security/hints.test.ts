// A hint is there to be pasted: what a question contains must not be executed then.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { openEngine, workflow } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Bench, openBench } from '../bench.ts';
import { makeHome, realProgram } from './shell.ts';

const fields = ['$(touch pwned-field)', '`touch pwned-ticks`', "'; touch pwned-quote; '", 'x; touch pwned-semicolon;'];

/** Each has a run of its own: what is pasted may answer it. */
const commands = ['show', 'watch', 'answer'];

let bench: Bench;
let home: string;
beforeAll(async () => {
  bench = openBench();
  home = await makeHome(bench, 'home', realProgram);
  const shape = Object.fromEntries(fields.map((field) => [field, z.enum(['yes', `$(touch pwned-${field.length})`])]));
  const sly = workflow(
    'sly',
    { input: z.object({}), asks: { ok: { show: z.string(), answer: z.object(shape) } } },
    async (_input, context) => context.ask('ok', '$(touch pwned-shown)'),
  );
  await using engine = await openEngine(`sqlite:${join(bench.folder, '.holdfast/holdfast.db')}`, { graphs: [sly] });
  for (const id of commands) await (await engine.start(sly, {}, { id })).outcome();
});
afterAll(() => bench.close());

describe('a pasted hint', () => {
  test.each(commands)('of %s executes nothing of the question', async (command) => {
    const { stdout, stderr } = await bench.run([command, command], { env: { HOLDFAST_GRAPHS: '' } });
    const lines = [...`${stdout}${stderr}`.matchAll(/holdfast answer .*$/gmu)].map(([line]) => line);
    expect(lines).toHaveLength(1);
    const env = { ...bench.env, PATH: [join(home, 'bin'), bench.env['PATH']].join(delimiter) };
    for (const line of lines) spawnSync('sh', ['-c', line], { cwd: bench.folder, env });
    expect(readdirSync(bench.folder).filter((name) => name.startsWith('pwned'))).toEqual([]);
  });
});
