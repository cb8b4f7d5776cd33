import { describe, expect, test } from 'vitest';
import { checksum } from '../../value/checksum.ts';
import { Keyring } from '../../value/secret/keyring.ts';
import { openRecord, openSnapshot, sealRecord, sealSnapshot } from './encode.ts';
import { recordBytes, sealLate } from './late-record.ts';

const place = { runId: 'run', seq: 3 };
const entry = { kind: 'note', id: 'chosen', at: 1_000, payload: { deep: ['🚀', 1n, new Date(0)] } } as const;

describe('sealRecord()', () => {
  test('gives a record that opens again as it was', () => {
    const stored = sealRecord(place, entry);
    expect(stored).toMatchObject({ seq: 3, id: 'chosen' });
    expect(openRecord('run', stored)).toEqual({ ...entry, ...place, source: 'system', labels: [], meta: {} });
  });

  test.each([
    ['at another seq', 'run', { seq: 4 }],
    ['in another run', 'ruN', {}],
    ['with another text', 'run', { text: 'j{"v":1,"kind":"note","at":1}' }],
    ['with another checksum', 'run', { crc: 1 }],
  ])('binds the record to its place: corrupt %s', (_, runId, change) => {
    const stored = { ...sealRecord(place, entry), ...change };
    expect(() => openRecord(runId, stored)).toThrow(expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }));
  });

  test('says where the corruption is', () => {
    const stored = { ...sealRecord(place, entry), crc: 1 };
    expect(() => openRecord('run', stored)).toThrow(expect.objectContaining({ details: { where: 'run@3' } }));
  });
});

describe('sealLate()', () => {
  const step = { kind: 'superstep', at: 1_000, payload: { delta: { n: ['=', 1] }, next: ['a'] } } as const;

  test('gives the very record that sealRecord gives, when it is read', () => {
    const { text, crc } = sealRecord(place, step);
    const late = sealLate(place, step);
    expect(late).toMatchObject({ seq: 3, id: undefined, text, crc });
    expect(openRecord('run', late)).toEqual(openRecord('run', sealRecord(place, step)));
  });

  test.each(['run-start', 'run-end'] as const)('gives the same for the %s of a run', (kind) => {
    const bare = { kind, at: 1_000, payload: { status: 'completed' } };
    for (const each of [bare, { ...bare, id: 'turn:one' }]) {
      const { text, crc, id } = sealRecord(place, each);
      expect(sealLate(place, each)).toMatchObject({ seq: 3, id, text, crc });
    }
  });

  test('knows about how many bytes it takes without making its text', () => {
    const bytes = recordBytes(sealLate(place, step));
    const exact = recordBytes(sealRecord(place, step));
    expect(bytes).toBeGreaterThan(exact / 2);
    expect(bytes).toBeLessThanOrEqual(exact);
  });

  test('keeps what can still be changed as it is now', () => {
    const bytes = new Uint8Array([1]);
    const stored = sealLate(place, { ...step, payload: { delta: { n: ['=', bytes] } } });
    bytes[0] = 2;
    expect(openRecord('run', stored).payload).toEqual({ delta: { n: ['=', new Uint8Array([1])] } });
    const note = { text: 'before' };
    const noted = sealLate(place, { kind: 'note', at: 1, payload: note });
    note.text = 'after';
    expect(openRecord('run', noted).payload).toEqual({ text: 'before' });
  });

  test('refuses what is too large at once', () => {
    const payload = { delta: { n: ['=', '\u0001'.repeat(3 * 1024 * 1024)] } };
    expect(() => sealLate(place, { ...step, payload })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_TOO_LARGE' }),
    );
  });
});

describe('sealSnapshot()', () => {
  const snapshot = { covers: 2, head: { step: 1 }, body: new Map([['k', new Set([1])]]) };

  test('gives a snapshot that opens again as it was', () => {
    expect(openSnapshot('run', sealSnapshot(place, snapshot))).toEqual({ ok: true, seq: 3, ...snapshot });
  });

  test('opens without a body where none was asked for', () => {
    const stored = { ...sealSnapshot(place, snapshot), body: undefined };
    expect(openSnapshot('run', stored)).toEqual({ ok: true, seq: 3, covers: 2, head: { step: 1 }, body: undefined });
  });

  test('binds head and body to their place and to each other', () => {
    const stored = sealSnapshot(place, snapshot);
    const other = sealSnapshot({ runId: 'run', seq: 4 }, snapshot);
    const corrupt = { ok: false, error: { code: 'HOLDFAST_CORRUPT' } };
    expect(openSnapshot('other', stored)).toMatchObject(corrupt);
    expect(openSnapshot('run', { ...stored, covers: 1 })).toMatchObject({ ...corrupt, covers: 1, seq: 3 });
    expect(openSnapshot('run', { ...stored, body: other.body })).toMatchObject(corrupt);
    expect(openSnapshot('run', { ...stored, body: stored.head })).toMatchObject(corrupt);
    expect(openSnapshot('run', { ...stored, head: { text: 'jnull', crc: 0 } })).toMatchObject(corrupt);
  });

  test('refuses a format that it does not know, because that is no corruption', () => {
    const stored = sealSnapshot(place, snapshot);
    const text = 'k{}';
    // The checksum of the unknown text at its place: nothing is wrong with it but its format.
    const crc = checksum('run@3 snapshot of 2 head', text);
    expect(() => openSnapshot('run', { ...stored, head: { text, crc } })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_UNKNOWN_FORMAT' }),
    );
  });
});

function sealedHead(text = ''): { readonly text: string; readonly crc: number } {
  return { text, crc: checksum('run@3 snapshot of 2 head', text) };
}

describe('with a keyring', () => {
  const keyring = new Keyring([{ id: 'k', key: new Uint8Array(32).fill(1) }]);
  const snapshot = { covers: 2, head: { step: 'secret-1' }, body: new Map([['secret-2', new Set([1])]]) };
  const missing = expect.objectContaining({ code: 'HOLDFAST_MISSING_KEY' });

  test('hides records and snapshots, and opens them again', () => {
    const record = sealRecord(place, { ...entry, payload: 'secret-1' }, keyring);
    expect(record).toMatchObject({ seq: 3, id: 'chosen' });
    expect(record.text).not.toContain('secret-');
    expect(openRecord('run', record, keyring.read).payload).toBe('secret-1');
    const stored = sealSnapshot(place, snapshot, keyring);
    expect(JSON.stringify(stored)).not.toContain('secret-');
    expect(openSnapshot('run', stored, keyring.read)).toEqual({ ok: true, seq: 3, ...snapshot });
  });

  test('covers what is stored with the checksum, which needs no key', () => {
    const { text, ...rest } = sealRecord(place, entry, keyring);
    expect(() => openRecord('run', { ...rest, text: `${text} ` })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }),
    );
    expect(openRecord('run', { ...rest, text }, () => undefined)).toMatchObject({ kind: 'note', payload: undefined });
    const stored = sealSnapshot(place, snapshot, keyring);
    expect(openSnapshot('run', stored, () => undefined)).toMatchObject({ ok: true, head: undefined, body: undefined });
  });

  test('refuses to open without the key: that is no corruption, and no older snapshot will do', () => {
    expect(() => openRecord('run', sealRecord(place, entry, keyring))).toThrow(missing);
    expect(() => openSnapshot('run', sealSnapshot(place, snapshot, keyring))).toThrow(missing);
  });

  test('finds a part of a snapshot that was put elsewhere, or is none, under a right checksum', () => {
    const stored = sealSnapshot(place, snapshot, keyring);
    const corrupt = { ok: false, error: { code: 'HOLDFAST_CORRUPT', details: { where: 'run@3 snapshot of 2 head' } } };
    for (const text of [stored.body?.text, 'e', 'e{}', 'e1']) {
      expect(openSnapshot('run', { ...stored, head: sealedHead(text) }, keyring.read)).toMatchObject(corrupt);
    }
  });
});
