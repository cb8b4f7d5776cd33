// The real binary on a pseudo-terminal, and real signals.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, openBench } from './bench.ts';
import { onTerminal, pty } from './terminal.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

/** What was really done, from the file that survives every process. */
function ledger(runId: string): readonly string[] {
  const file = join(bench.folder, 'ledger.txt');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return lines.filter((line) => line.startsWith(`${runId} `)).map((line) => line.slice(runId.length + 1));
}

async function noted(runId: string, what: string): Promise<void> {
  while (!ledger(runId).includes(what)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Lets these steps of a `slow` run end. */
function giveLeave(run: string, ...steps: readonly number[]): void {
  appendFileSync(join(bench.folder, 'leave.txt'), steps.map((step) => `${run} s${step}\n`).join(''));
}

const escape = '\u001b';

describe('work', () => {
  test('Ctrl-C: the step in flight finishes, no other begins, the exit code is 130; another worker goes on', async () => {
    await bench.run(['submit', 'slow', 'steps=4', '--id', 'drained']);
    giveLeave('drained', 0);
    const { child, printed, done } = bench.start(['work']);
    await noted('drained', 'begins s1');
    child.kill('SIGINT');
    await printed(/Draining/u);
    giveLeave('drained', 1);
    const { code, stderr } = await done;
    expect(code).toBe(130);
    expect(stderr).toContain('Draining');
    const before = ledger('drained');
    expect(before).toEqual(['begins s0', 'ends s0', 'begins s1', 'ends s1']);
    giveLeave('drained', 2, 3);
    expect((await bench.run(['recover'])).code).toBe(0);
    expect(ledger('drained')).toEqual([0, 1, 2, 3].flatMap((step) => [`begins s${step}`, `ends s${step}`]));
  });

  test('a second Ctrl-C ends it at once', async () => {
    await bench.run(['submit', 'slow', 'steps=1', '--id', 'endless']);
    const { child, printed, done } = bench.start(['work']);
    await noted('endless', 'begins s0');
    child.kill('SIGINT');
    await printed(/Draining/u);
    child.kill('SIGINT');
    expect(await done).toMatchObject({ code: 130 });
    expect((await bench.run(['cancel', 'endless'])).code).toBe(0);
  });
});

const leftOut = typeof pty === 'string' ? ` (left out: ${pty})` : '';

describe.skipIf(typeof pty === 'string')(`on a terminal${leftOut}`, () => {
  test('dev: kill -9 of the worker, and a change of a file: the run goes on, and no finished step runs twice', async () => {
    const { terminal, printed, ended, text } = onTerminal(bench, ['dev', 'graphs.ts']);
    const [, worker] = await printed(/worker (\d+)/u);
    await bench.run(['submit', 'slow', 'steps=5', '--id', 'survivor']);
    giveLeave('survivor', 0, 1);
    await printed(/survivor .*running/u);
    await noted('survivor', 'begins s2');
    process.kill(Number(worker), 'SIGKILL');
    await printed(/worker \(SIGKILL\); restarting/u);
    giveLeave('survivor', 2, 3, 4);
    await printed(/survivor .*completed/u);
    const done = ledger('survivor').filter((line) => line.startsWith('ends'));
    expect(done).toEqual(['ends s0', 'ends s1', 'ends s2', 'ends s3', 'ends s4']);
    const file = join(bench.folder, 'ledger.ts');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n// changed\n`);
    await printed(/ledger\.ts changed; reloading[\s\S]*ready/u);
    terminal.write('\u0003');
    expect(await ended).toMatchObject({ exitCode: 130 });
    // The run had one line that changed in place: the cursor went up and cleared it.
    expect(text()).toContain(`${escape}[1A\r${escape}[J`);
  });

  test('answer without values asks with a form of the schema', async () => {
    await bench.run(['run', 'refunds', 'order=ord_7', 'cents=700', '--id', 'ord_7']);
    const { terminal, printed, ended } = onTerminal(bench, ['answer', 'ord_7', '--by', 'ada']);
    await printed(/Refund 700\?/u);
    await printed(/ok/u);
    terminal.write('y');
    await printed(/note \(optional\)/u);
    terminal.write('late\r');
    expect(await ended).toMatchObject({ exitCode: 0 });
    const { stdout } = await bench.run(['journal', 'ord_7', '--kind', 'answer', '--jsonl']);
    expect(JSON.parse(stdout)).toMatchObject({ payload: { value: { ok: true, note: 'late' }, by: 'ada' } });
  });

  test('Ctrl-C in the form answers nothing, with exit code 130; prune --apply asks first', async () => {
    await bench.run(['run', 'refunds', 'order=ord_8', 'cents=800', '--id', 'ord_8']);
    const form = onTerminal(bench, ['answer', 'ord_8']);
    const prune = onTerminal(bench, ['prune', '--keep', '1', '--apply']);
    await form.printed(/Refund 800\?[\s\S]*ok/u);
    form.terminal.write('\u0003');
    expect(await form.ended).toMatchObject({ exitCode: 130 });
    await prune.printed(/would drop[\s\S]*Drop \d+ checkpoints\?/u);
    prune.terminal.write('n');
    expect(await prune.ended).toMatchObject({ exitCode: 0 });
    expect(prune.text()).not.toMatch(/^dropped/mu);
    expect((await bench.run(['show', 'ord_8', '--json'])).stdout).toContain('"status":"waiting"');
  });

  test('colours and relative times for a person; none with NO_COLOR; neither when piped', async () => {
    const screens = [onTerminal(bench, ['runs']), onTerminal(bench, ['runs'], { NO_COLOR: '1' })] as const;
    const [colored, plain] = screens;
    await Promise.all(screens.map(({ ended }) => ended));
    expect(colored.text()).toContain(`${escape}[33mwaiting${escape}[39m`);
    expect(colored.text()).toMatch(/\ds ago|now/u);
    expect(plain.text()).not.toContain(escape);
    expect(plain.text()).toMatch(/ord_8 .*waiting/u);
    expect((await bench.run(['runs'])).stdout).not.toContain(escape);
  });

  test('data that would drive the terminal is shown, not sent', async () => {
    await bench.run(['run', 'refunds', 'order=\u001b]0;owned\u0007\u001b[2J', 'cents=1', '--id', 'evil']);
    const { text, ended } = onTerminal(bench, ['show', 'evil'], { NO_COLOR: '1' });
    await ended;
    expect(text()).not.toContain(escape);
    expect(text()).toContain('owned');
  });
});
