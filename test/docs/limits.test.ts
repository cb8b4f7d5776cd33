// The numbers of docs/limits.md and SECURITY.md are those of the code.
import { readFileSync } from 'node:fs';
import { type Engine, HoldfastError, openEngine, workflow } from 'holdfast';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { defaultBounds } from '../../packages/core/src/value/bounds.ts';

const limits = readFileSync('docs/limits.md', 'utf8');
const security = readFileSync('SECURITY.md', 'utf8');

/** The cells of the row of a table that begins like this. */
function row(page: string, start: string): readonly string[] {
  const line = page.split('\n').find((each) => each.startsWith(`| ${start}`));
  if (line === undefined) throw new Error(`no row begins with ${start}`);
  return line.split('|').map((cell) => cell.trim());
}

const units: Readonly<Record<string, number>> = { MiB: 2 ** 20, KiB: 2 ** 10 };

/** The first number of a text, in its unit. */
function numberIn(text = ''): number {
  const [, digits = '', unit = ''] = /(\d[\d,]*) ?(MiB|KiB)?/u.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (units[unit] ?? 1);
}

/** What a row of docs/limits.md allows. */
const limitOf = (start: string): number => numberIn(row(limits, start)[2]);

async function newEngine(): Promise<Engine> {
  const engine = await openEngine('memory:', { executes: false });
  onTestFinished(() => engine.close());
  return engine;
}

/** The code of the error; undefined without one. */
async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return HoldfastError.is(error) ? error.code : String(error);
  }
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** A value that is as large as it may be, and one that is larger by one. */
const values: readonly (readonly [start: string, make: (size: number) => unknown])[] = [
  // With its quotes.
  ['a value: input', (size) => 'x'.repeat(size - 2)],
  // With the list that they are in.
  ['values inside a value', (size) => Array.from({ length: size - 1 }, () => 1)],
  ['nesting', nested],
  ['digits of a bigint', (size) => 10n ** BigInt(size - 1)],
];

describe('docs/limits.md', () => {
  test.each(values)('says how much is allowed of: %s', async (start, make) => {
    const engine = await newEngine();
    const size = limitOf(start);
    const taking = workflow('taking', { input: z.unknown() }, async () => null);
    expect(await codeOf(engine.start(taking, make(size)))).toBe(undefined);
    const code = await codeOf(engine.start(taking, make(size + 1)));
    expect(row(limits, start)[3]).toContain(`\`${code}\``);
  });

  test('says how long texts and names may be', async () => {
    const engine = await newEngine();
    const nothing = workflow('nothing', { input: z.null() }, async () => null);
    const run = await engine.start(nothing, null, { id: 'r' });
    const calls: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
      'a reason, a label of a fork': async (label) => run.fork({ label }),
      'the name or value of a tag': async (text) => run.fork({ tags: { [text]: text } }),
      'an id; a name': async (id) => engine.start(nothing, null, { id }),
    };
    for (const [start, call] of Object.entries(calls)) {
      const size = limitOf(start);
      expect([start, await codeOf(call('x'.repeat(size)))]).toEqual([start, undefined]);
      expect(row(limits, start)[3]).toContain(`\`${await codeOf(call('x'.repeat(size + 1)))}\``);
    }
  });

  test('says the bounds of an engine that is told none', () => {
    for (const [name, bound] of Object.entries(defaultBounds))
      expect([name, limitOf(`\`${name}\``)]).toEqual([name, bound]);
  });

  test('says how long a line of an import may be', async () => {
    const engine = await newEngine();
    const size = limitOf('a line');
    expect(await codeOf(engine.import(new Uint8Array(size + 1)))).toBe('HOLDFAST_FOREIGN_FILE');
    const [, , , error] = row(limits, 'a line');
    expect(error).toContain('HOLDFAST_FOREIGN_FILE');
    await expect(engine.import(new Uint8Array(size + 1))).rejects.toThrow('a line is too long');
    await expect(engine.import(new Uint8Array(size))).rejects.not.toThrow('a line is too long');
  });

  /** What takes too long to try. */
  test.each([
    ['the headers of all runs', 'engine/transfer/read-export.ts', /maxHeaderBytes = ([\d *]+);/u],
    ['items of one `each`', 'record/payload-shape.ts', /mostItems: number = ([\d_]+);/u],
    ['the message of a log line', 'runner/task/call/drawn-values.ts', /longestMessage = ([\d_]+);/u],
  ])('says what the code does: %s', (start, file, constant) => {
    const [, text = ''] = constant.exec(readFileSync(`packages/core/src/${file}`, 'utf8')) ?? [];
    const factors = text.split('*').map((factor) => Number(factor.replaceAll('_', '')));
    expect(limitOf(start)).toBe(factors.reduce((product, factor) => product * factor, 1));
  });
});

test('SECURITY.md says the same as docs/limits.md', () => {
  const [, table = ''] = /## Limits\n([\s\S]*?)\n## /u.exec(security) ?? [];
  const rows = table.split('\n').filter((line) => /^\| [^|]*\| (?:`\w+`, )?\d/u.test(line));
  expect(rows.length).toBeGreaterThan(6);
  for (const line of rows) {
    const [, what = '', limit = ''] = line.split('|').map((cell) => cell.trim());
    expect([what, numberIn(row(limits, what)[2])]).toEqual([what, numberIn(limit)]);
  }
});
