import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyChange, mutantsOf, readRows, rowsIn, titlePattern, titlesIn } from '../../scripts/seed-rows.mjs';

const root = join(import.meta.dirname, '../..');
const rows = readRows(root);
/** The page that the rows come from, where it is at hand. */
const page = join(root, '../shared/SEEDS.md');

interface NamedTest {
  readonly seed: string;
  readonly title: string;
}

function key({ seed, title }: NamedTest): string {
  return `${seed}: ${title}`;
}

/** The tests of every document, as they are written. */
function writtenTests(): readonly NamedTest[] {
  const names = readdirSync(join(root, 'test/seeds')).filter((name) => name.endsWith('.test.ts'));
  return names.flatMap((name) => {
    const seed = /^seed-(\d{3})-/.exec(name)?.[1] ?? `${name} is not named for a document`;
    return titlesIn(readFileSync(join(root, 'test/seeds', name), 'utf8')).map((title) => ({ seed, title }));
  });
}

describe('rows.json', () => {
  const written = writtenTests();
  const claimed = rows.flatMap(({ seed, tests }) => tests.map((title) => ({ seed, title })));

  test('has every row of the five documents, word for word', () => {
    const asked = existsSync(page) ? rowsIn(readFileSync(page, 'utf8')) : rows;
    const cells = rows.map(({ seed, there, here, better }) => ({ seed, there, here, better }));
    expect(cells).toEqual(asked.map(({ seed, there, here, better }) => ({ seed, there, here, better })));
    expect(new Set(rows.map(({ seed }) => seed))).toEqual(new Set(['000', '001', '002', '003', '004']));
  });

  test('names a test and a mutant for every row, and each row once', () => {
    expect(rows.filter(({ tests, mutants }) => tests.length === 0 || mutants.length === 0)).toEqual([]);
    expect(new Set(rows.map(({ seed, name }) => `${seed} ${name}`)).size).toBe(rows.length);
  });

  test('names only tests that are there', () => {
    const there = new Set(written.map(key));
    expect(claimed.map(key).filter((each) => !there.has(each))).toEqual([]);
  });

  test('has a row for every test', () => {
    const known = new Set(claimed.map(key));
    expect(written.map(key).filter((each) => !known.has(each))).toEqual([]);
  });

  test('has mutants that fit the sources, each another one', () => {
    const changes = mutantsOf(rows).flatMap(({ mutant }) => mutant.changes);
    for (const change of changes) {
      const source = readFileSync(join(root, change.file), 'utf8');
      expect(applyChange(source, change), change.from).not.toBe(source);
    }
    const perRow = mutantsOf(rows).map(({ row, mutant }) => `${row.name}: ${mutant.breaks}`);
    expect(new Set(perRow).size).toBe(perRow.length);
  });
});

describe('what reads it', () => {
  test('refuses a change whose text is not there once', () => {
    const change = { file: 'a.ts', from: 'b', to: '$&c' };
    expect(applyChange('abd', change)).toBe('a$&cd');
    expect(() => applyChange('abbd', change)).toThrow('a.ts has 2 times');
    expect(() => applyChange('ad', change)).toThrow('a.ts has 0 times');
  });

  test('finds the titles of tests, those over tables too', () => {
    const text = `test('it\\'s one', f);\n  test.each([['(', ')']].map(f))(\n    "two: %s",\n    f,\n  );`;
    expect(titlesIn(text)).toEqual(["it's one", 'two: %s']);
    expect(() => titlesIn('test(title, f)')).toThrow('1 tests, but 0 titles');
  });

  test('takes a title over a table for each of its cases, and no other', () => {
    const pattern = new RegExp(`^${titlePattern('the cursor %j (or $name) is bad.')}$`);
    expect(pattern.test('the cursor "r@" (or x) is bad.')).toBe(true);
    expect(pattern.test('the cursor "r@" (or x) is bad!')).toBe(false);
  });

  test('finds the rows of the tables and what document each belongs to', () => {
    const text =
      '# x\n## 001: a\n| there | here | and better |\n|---|---|---|\n| a | b | |\n## 002: b\n| c | d | e |\n';
    expect(rowsIn(text)).toEqual([
      { seed: '001', there: 'a', here: 'b', better: '' },
      { seed: '002', there: 'c', here: 'd', better: 'e' },
    ]);
  });
});
