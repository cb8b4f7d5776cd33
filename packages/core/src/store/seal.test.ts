import { describe, expect, test } from 'vitest';
import { checksum } from '../value/checksum.ts';
import { openRecord, openSnapshot, sealRecord, sealSnapshot } from './seal.ts';

const place = { run: 'run', seq: 3 };
const entry = { kind: 'note', id: 'chosen', at: 1_000, payload: { deep: ['🚀', 1n, new Date(0)] } } as const;

describe('sealRecord()', () => {
  test('gives a record that opens again as it was', () => {
    const stored = sealRecord(place, entry);
    expect(stored).toMatchObject({ seq: 3, id: 'chosen' });
    expect(openRecord('run', stored)).toEqual({ ...entry, ...place, channel: 'system', tags: [], meta: {} });
  });

  test.each([
    ['at another seq', 'run', { seq: 4 }],
    ['in another run', 'ruN', {}],
    ['with another text', 'run', { text: 'j{"v":1,"kind":"note","at":1}' }],
    ['with another checksum', 'run', { crc: 1 }],
  ])('binds the record to its place: damaged %s', (_, run, change) => {
    const stored = { ...sealRecord(place, entry), ...change };
    expect(() => openRecord(run, stored)).toThrow(expect.objectContaining({ code: 'HOLDFAST_DAMAGED' }));
  });

  test('says where the damage is', () => {
    const stored = { ...sealRecord(place, entry), crc: 1 };
    expect(() => openRecord('run', stored)).toThrow(expect.objectContaining({ details: { where: 'run@3' } }));
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
    const other = sealSnapshot({ run: 'run', seq: 4 }, snapshot);
    const damaged = { ok: false, error: { code: 'HOLDFAST_DAMAGED' } };
    expect(openSnapshot('other', stored)).toMatchObject(damaged);
    expect(openSnapshot('run', { ...stored, covers: 1 })).toMatchObject({ ...damaged, covers: 1, seq: 3 });
    expect(openSnapshot('run', { ...stored, body: other.body })).toMatchObject(damaged);
    expect(openSnapshot('run', { ...stored, body: stored.head })).toMatchObject(damaged);
    expect(openSnapshot('run', { ...stored, head: { text: 'jnull', crc: 0 } })).toMatchObject(damaged);
  });

  test('refuses a format that it does not know, because that is no damage', () => {
    const stored = sealSnapshot(place, snapshot);
    const text = 'k{}';
    // The checksum of the unknown text at its place: nothing is wrong with it but its format.
    const crc = checksum('run@3 snapshot of 2 head', text);
    expect(() => openSnapshot('run', { ...stored, head: { text, crc } })).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_UNKNOWN_FORMAT' }),
    );
  });
});
