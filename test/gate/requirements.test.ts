import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { pageOf } from '../requirements/program/page.ts';
import { throughSeams } from '../requirements/program/through-seams.ts';
import { titlePattern, titlesIn } from '../requirements/program/titles.ts';
import { documents, mutantsOf, table } from '../requirements/rows/table.ts';
import { seams } from '../requirements/seams.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'test/requirements');

interface NamedTest {
  readonly document: string;
  readonly title: string;
}

function key({ document, title }: NamedTest): string {
  return `${document}: ${title}`;
}

/** The tests of every document, as they are written. */
function writtenTests(): readonly NamedTest[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return names.flatMap((name) => {
    const document = /^document-(\d{3})-/.exec(name)?.[1] ?? `${name} is not named for a document`;
    return titlesIn(readFileSync(join(folder, name), 'utf8')).map((title) => ({ document, title }));
  });
}

describe('the table of the requirement documents', () => {
  const written = writtenTests();
  const claimed = table.flatMap(({ document, tests }) => tests.map((title) => ({ document, title })));

  test('has rows for each of the five documents', () => {
    expect([...new Set(table.map(({ document }) => document))]).toEqual(Object.keys(documents));
    expect(Object.keys(documents)).toEqual(['000', '001', '002', '003', '004']);
  });

  test('names a test and a mutant for every row, and each row once', () => {
    expect(table.filter(({ tests, mutants }) => tests.length === 0 || mutants.length === 0)).toEqual([]);
    expect(new Set(table.map(({ document, name }) => `${document} ${name}`)).size).toBe(table.length);
  });

  test('names only tests that are there', () => {
    const there = new Set(written.map(key));
    expect(claimed.map(key).filter((each) => !there.has(each))).toEqual([]);
  });

  test('has a row for every test', () => {
    const known = new Set(claimed.map(key));
    expect(written.map(key).filter((each) => !known.has(each))).toEqual([]);
  });

  test('names each mutant of a row once', () => {
    const names = mutantsOf(table).map(({ row, mutant }) => `${row.document} ${row.name}: ${mutant.breaks}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('is what docs/requirements.md says; npm run requirements -- --write brings it up to date', () => {
    expect(readFileSync(join(root, 'docs/requirements.md'), 'utf8')).toBe(pageOf(table, documents));
  });
});

describe('the seams', () => {
  test.each(Object.values(seams))('$name is a function that $module exports', async (seam) => {
    const { code } = await transform(readFileSync(join(root, seam.module), 'utf8'), { loader: 'ts' });
    expect(throughSeams(code, [seam], './replacement.ts')).toContain(`original_${seam.name}`);
  });

  test('are all used by a mutant', () => {
    const used = new Set(mutantsOf(table).flatMap(({ mutant }) => mutant.changes.map(({ seam }) => seam)));
    expect(Object.values(seams).filter((seam) => !used.has(seam))).toEqual([]);
  });
});

describe('a module through its seams', () => {
  const source = `
    export function one(n) { return n + 1; }
    export async function* many() { yield one(1); }
    export function own() { return one(10); }
  `;

  /** The module with `one` a hundred times as large. */
  async function changed(): Promise<{ readonly one: (n: number) => number; readonly own: () => number }> {
    const larger = 'export const replacementOf = (module, name, original) => (n) => original(n) * 100;';
    const code = throughSeams(source, [{ module: 'm.ts', name: 'one' }], `data:text/javascript,${larger}`);
    return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as never;
  }

  test('calls the replacement, from outside and from within', async () => {
    const { one, own } = await changed();
    expect(one(1)).toBe(200);
    expect(own()).toBe(1_100);
  });

  test('is refused when there is no such function, and told where to say so', () => {
    const absent = { module: 'm.ts', name: 'two' };
    expect(() => throughSeams(source, [absent], 'x')).toThrow(/m\.ts has no "export function two".*seams\.ts/);
  });
});

describe('titles', () => {
  test('are found, those over tables too', () => {
    const text = `test('it\\'s one', f);\n  test.each([['(', ')']].map(f))(\n    "two: %s",\n    f,\n  );`;
    expect(titlesIn(text)).toEqual(["it's one", 'two: %s']);
    expect(() => titlesIn('test(title, f)')).toThrow('1 tests, but 0 titles');
  });

  test('over a table stand for each of its cases, and no other', () => {
    const pattern = new RegExp(`^${titlePattern('the cursor %j (or $name) is bad.')}$`);
    expect(pattern.test('the cursor "r@" (or x) is bad.')).toBe(true);
    expect(pattern.test('the cursor "r@" (or x) is bad!')).toBe(false);
  });
});
