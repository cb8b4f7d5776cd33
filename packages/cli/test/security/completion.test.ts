// TAB must not execute anything that a run, a store or a stranger's package.json contains.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine, workflow } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isCompletable } from '../../src/completion/completable.ts';
import { shells } from '../../src/completion/completion-script.ts';
import { type Bench, openBench } from '../bench.ts';
import { leftOut, makeHome, pressTab, realProgram } from './shell.ts';

const hostile = [
  '$(touch pwned-substitution)',
  '`touch pwned-backticks`',
  '(touch pwned-fish)',
  '; touch pwned-semicolon;',
  'x\ntouch pwned-newline\n',
  "'; touch pwned-quote; '",
  '"; touch pwned-double-quote; "',
  '","id":"$(touch pwned-json)","x":"',
  '<(touch pwned-process)',
  '*',
  '-rf',
  '~',
  '{a,b}',
  '$HOME',
];
const ordinary = ['ordinary-alpha', 'ordinary-beta', 'ordinary:quartz'];

let bench: Bench;
let home: string;
/** Its `holdfast` prints hostile lines, as if ours did not filter. */
let hostileHome: string;
beforeAll(async () => {
  bench = openBench();
  await startRuns(`sqlite:${join(bench.folder, '.holdfast/holdfast.db')}`);
  home = await makeHome(bench, 'home', realProgram);
  writeFileSync(join(bench.folder, 'lines.txt'), [...hostile, ...ordinary, ''].join('\n'));
  hostileHome = await makeHome(bench, 'hostile-home', `#!/bin/sh\nexec cat '${join(bench.folder, 'lines.txt')}'\n`);
});
afterAll(() => bench.close());

/** The ordinary runs, which carry every hostile text in their tags, graph names, questions and input. */
async function startRuns(store: `sqlite:${string}`): Promise<void> {
  const question = { show: z.object({ text: z.string() }), answer: z.string() };
  const sly = workflow(
    '$HOME',
    { input: z.object({ id: z.string() }), asks: { $id: question } },
    async ({ id }, context) => context.ask('$id', { text: id }),
  );
  await using engine = await openEngine(store, { graphs: [sly] });
  for (const [at, id] of ordinary.entries()) {
    const tags = Object.fromEntries(hostile.map((text, each) => [`tag${each}`, text]));
    const run = await engine.start(sly, { id: hostile.join(' ') }, { id, tags: { ...tags, id: hostile[at] ?? '' } });
    await run.outcome();
  }
}

function executed(): readonly string[] {
  return readdirSync(bench.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('pwned'));
}

describe('holdfast complete', () => {
  test('prints the ids that start with a prefix, one per line, and nothing else', async () => {
    const [all, some, none] = await Promise.all([
      bench.run(['complete']),
      bench.run(['complete', '--', 'ordinary-']),
      bench.run(['complete', '--', '-rf']),
    ]);
    expect(all.stdout.trimEnd().split('\n').toSorted()).toEqual(ordinary);
    expect(some.stdout.trimEnd().split('\n').toSorted()).toEqual(ordinary.slice(0, 2));
    expect(none).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.each(hostile)('never prints %j, whoever wrote it into a store', (text) => {
    expect(isCompletable(text)).toBe(false);
    expect(isCompletable(`ordinary-${text}`)).toBe(text === '-rf');
  });

  test('is not in the help', async () => {
    expect((await bench.run(['--help'])).stdout).not.toMatch(/^ +complete\b/mu);
  });
});

describe.each(shells)('TAB in %s', (shell) => {
  const why = leftOut(shell);

  const listed = [/alpha/u, /beta/u, /quartz/u];

  test.skipIf(why !== '')(`lists the runs, and executes nothing of their data${why}`, async () => {
    await pressTab({ bench, shell, home, line: 'holdfast show ', shows: [/@last/u, ...listed] });
    expect(executed()).toEqual([]);
  });

  test.skipIf(why !== '')(`completes an id, also after a colon${why}`, async () => {
    await pressTab({ bench, shell, home, line: 'holdfast show ordinary-al', shows: [/pha/u] });
    const text = await pressTab({ bench, shell, home, line: 'holdfast show ordinary:qu', shows: [/artz/u] });
    expect(text).not.toContain('ordinary:ordinary');
  });

  test.skipIf(why !== '')(`executes no line, even if holdfast printed hostile ones${why}`, async () => {
    await pressTab({ bench, shell, home: hostileHome, line: 'holdfast show ', shows: listed });
    expect(executed()).toEqual([]);
  });
});
