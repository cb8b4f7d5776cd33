// What is printed for people to paste, and how it reads.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicCommands } from '../src/program/commands.ts';
import { type Bench, type Done, openBench } from './bench.ts';
import { makeHome, realProgram } from './security/shell.ts';

let bench: Bench;
let home: string;
beforeAll(async () => {
  bench = openBench();
  home = await makeHome(bench, 'home', realProgram);
});
afterAll(() => bench.close());

const run = (...args: readonly string[]): Promise<Done> => bench.run(args);

/** Executes a line that a hint printed, in a shell. */
function paste(line: string): Done {
  const path = [join(home, 'bin'), dirname(process.execPath), bench.env['PATH']].join(delimiter);
  const options = { cwd: bench.folder, env: { ...bench.env, PATH: path }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], options);
  return { code: status, stdout, stderr };
}

const lineIn = (text: string, pattern: RegExp): string =>
  pattern.exec(text)?.[1] ?? `no line like ${pattern} in ${text}`;

describe('hints', () => {
  test('work when they are pasted: they keep the store and each file', async () => {
    const flags = ['--store', 'sqlite:my runs.db', '-g', 'graphs.ts', '-g', 'greeting.ts'];
    const started = await run('run', 'greeting', 'name=ada', '--id', 'g1', ...flags);
    const answer = lineIn(started.stderr, /^ +(holdfast answer .*)$/mu);
    expect(answer).toBe("holdfast answer g1 ok --store 'sqlite:my runs.db' -g graphs.ts -g greeting.ts");
    const answered = paste(answer.replace(' ok ', ' ok ok=true '));
    expect(answered).toMatchObject({ code: 0, stdout: 'answered ok of g1: ok=true\n' });
    expect(paste(lineIn(answered.stderr, /: (holdfast watch .*)$/mu)).code).toBe(3);
    const forked = await run('fork', 'g1', '--id', 'g2', ...flags);
    const resume = lineIn(forked.stderr, /: (holdfast resume .*)$/mu);
    expect(paste(resume)).toMatchObject({ code: 0, stdout: 'resumed g2\n' });
  });

  test('of an answer are one word for each choice: pasted unchanged, they answer nothing', async () => {
    const flags = ['--store', 'sqlite:choices.db', '-g', 'greeting.ts'];
    await run('run', 'greeting', 'name=ada', '--id', 'g1', ...flags);
    const { stdout } = await run('show', 'g1', ...flags);
    const hint = lineIn(stdout, /^ +(holdfast answer .*)$/mu);
    expect(hint).toContain("'ok=true|false'");
    expect(paste(hint)).toMatchObject({ code: 2, stderr: expect.stringContaining('HOLDFAST_INVALID_VALUE') as string });
    expect((await run('show', 'g1', ...flags)).stdout).toContain(hint);
  });

  test('say npx where npm called the program', async () => {
    const { stderr } = await bench.run(['run', 'greeting', 'name=ada', '-g', 'greeting.ts'], {
      env: { npm_execpath: 'npm' },
    });
    expect(stderr).toMatch(/^ +npx holdfast answer \S+ ok -g greeting\.ts$/mu);
  });

  test('dev names each file', async () => {
    const { child, printed, done } = bench.start(['dev', 'graphs.ts', 'greeting.ts', '--store', 'sqlite:dev.db']);
    await printed(/holdfast submit GRAPH field=value … --store sqlite:dev\.db -g graphs\.ts -g greeting\.ts\n/u);
    child.kill('SIGINT');
    expect((await done).code).toBe(130);
  });
});

describe('the help', () => {
  test('is at most 80 columns wide', async () => {
    const helps = await Promise.all(
      [[], ...publicCommands().map(({ name }) => [name])].map((of) => run(...of, '--help')),
    );
    const wide = helps.flatMap(({ stdout }) => stdout.split('\n')).filter((line) => line.length > 80);
    expect(wide).toEqual([]);
  });
});

describe('runs', () => {
  test('can leave out children', async () => {
    const flags = ['-g', 'greeting.ts', '--store', 'sqlite:family.db'];
    await run('run', 'parent', 'name=ada', '--id', 'p1', ...flags);
    expect((await run('runs', '--jsonl', ...flags)).stdout.trim().split('\n')).toHaveLength(2);
    const alone = await run('runs', '--no-children', '--limit', '1', '--jsonl', ...flags);
    expect(
      alone.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(['p1']);
  });
});

describe('cancel', () => {
  test('says that a run had already ended', async () => {
    const flags = ['-g', 'graphs.ts', '--store', 'sqlite:ended.db'];
    await run('run', 'broken', '--id', 'over', ...flags);
    expect(await run('cancel', 'over', ...flags)).toMatchObject({
      code: 0,
      stderr: 'over had already ended (failed). Nothing was cancelled.\n',
    });
  });
});

describe('init', () => {
  test('keeps the store out of git, once', async () => {
    const ignore = join(bench.folder, '.gitignore');
    writeFileSync(ignore, 'node_modules');
    expect((await run('init')).stdout).toContain('wrote .gitignore\n');
    expect(readFileSync(ignore, 'utf8')).toBe('node_modules\n.holdfast/\n');
    rmSync(join(bench.folder, 'refunds.ts'));
    expect((await run('init')).stdout).not.toContain('.gitignore');
  });
});
