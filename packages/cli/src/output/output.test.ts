import { describe, expect, test } from 'vitest';
import { type Mode, Output } from './output.ts';
import { plainJson } from './plain-json.ts';
import { oneLine, printable } from './printable.ts';
import { shortFields, shortValue } from './short-value.ts';
import { relativeTime } from './times.ts';

function capture(options: {
  readonly mode: Mode;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
}) {
  const written = { stdout: '', stderr: '' };
  const { mode, env = {}, ...stream } = options;
  const out = new Output({
    mode,
    env,
    stdout: { ...stream, write: (text: string) => (written.stdout += text) },
    stderr: { ...stream, write: (text: string) => (written.stderr += text) },
  });
  return { out, written };
}

const items = [
  { id: 'a', at: new Date(0) },
  { id: 'b', at: new Date(1) },
];

describe('list()', () => {
  test.each([
    [
      'json',
      '{"schema":"holdfast.things/1","things":[{"id":"a","at":"1970-01-01T00:00:00.000Z"},{"id":"b","at":"1970-01-01T00:00:00.001Z"}]}\n',
    ],
    [
      'jsonl',
      '{"schema":"holdfast.thing/1","id":"a","at":"1970-01-01T00:00:00.000Z"}\n{"schema":"holdfast.thing/1","id":"b","at":"1970-01-01T00:00:00.001Z"}\n',
    ],
    ['human', '2 things\n'],
  ] as const)('as %s', async (mode, text) => {
    const { out, written } = capture({ mode });
    expect(
      await out.list({ names: { all: 'things', one: 'thing' }, items, human: (all) => [`${all.length} things`] }),
    ).toBe(2);
    expect(written).toEqual({ stdout: text, stderr: '' });
  });
});

describe('colours', () => {
  test.each([
    [{ isTTY: true }, true],
    [{ isTTY: false }, false],
    [{ isTTY: true, env: { NO_COLOR: '1' } }, false],
    [{ isTTY: true, env: { NO_COLOR: '' } }, true],
    [{ isTTY: false, env: { FORCE_COLOR: '1' } }, true],
    [{ isTTY: true, env: { FORCE_COLOR: '0' } }, false],
    [{ isTTY: true, env: { TERM: 'dumb' } }, false],
  ])('%j', (options, isColored) => {
    const { out } = capture({ mode: 'human', ...options });
    expect(out.paint.red('x') !== 'x').toBe(isColored);
  });

  test('hints are for people', () => {
    const { out, written } = capture({ mode: 'jsonl' });
    out.hint('try this');
    expect(written.stderr).toBe('');
  });
});

describe('table()', () => {
  test('aligns coloured cells, and cuts the last column only on a terminal', () => {
    const rows = [
      ['long name', { text: 'x', paint: (text: string) => `<${text}>` }, 'a text that is too long'],
      ['n', 'y', 'short'],
    ];
    const { out } = capture({ mode: 'human', isTTY: true, columns: 30, env: { NO_COLOR: '1' } });
    expect(out.table(['NAME', 'X', 'TEXT'], rows)).toEqual([
      'NAME       X  TEXT',
      'long name  <x>  a text that is …',
      'n          y  short',
    ]);
    const piped = capture({ mode: 'human' }).out;
    expect(piped.table(['NAME', 'X', 'TEXT'], rows)[1]).toContain('a text that is too long');
    expect(piped.table(['NAME'], [])).toEqual([]);
  });
});

describe('texts', () => {
  test('escapes control characters', () => {
    expect(printable('\u001b[2J\u0007\u009b\u202e\u2028ok\tä∥😀')).toBe(
      '\\u001b[2J\\u0007\\u009b\\u202e\\u2028ok\\tä∥😀',
    );
    expect(oneLine(' a\n  b\r\nc ')).toBe('a b c');
    expect(shortValue({ a: '\u001b[31m', b: [1, { c: new Map([[1, 2]]) }] })).toBe(
      "{ a: '\\x1B[31m', b: [ 1, { c: Map(1) { 1 => 2 } } ] }",
    );
    expect(shortFields({ ok: false, note: 'late' })).toBe("ok=false note='late'");
    expect(shortValue('x'.repeat(100), 10)).toBe("'xxxxxxxx…");
  });

  test('formats relative times', () => {
    const now = Date.UTC(2026, 0, 10);
    const ago = (ms: number): string => relativeTime(new Date(now - ms), now);
    expect([ago(0), ago(999), ago(2_500), ago(480_000), ago(7_300_000), ago(3 * 86_400_000), ago(-90_000)]).toEqual([
      'now',
      'now',
      '2s ago',
      '8m ago',
      '2h ago',
      '3d ago',
      'in 1m',
    ]);
  });

  test('converts values that JSON lacks', () => {
    const value = {
      big: 1n,
      nan: Number.NaN,
      map: new Map([['a', new Set([1])]]),
      bytes: new Uint8Array([1, 2]),
      no: new Date(Number.NaN),
    };
    expect(JSON.stringify(plainJson(value))).toBe('{"big":"1","nan":"NaN","map":[["a",[1]]],"bytes":"AQI=","no":null}');
    expect(JSON.stringify(plainJson(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
    expect(plainJson(Object.assign(new Error('why'), { code: 'X', details: { at: new Date(0) } }))).toEqual({
      code: 'X',
      message: 'why',
      details: { at: '1970-01-01T00:00:00.000Z' },
    });
  });
});
