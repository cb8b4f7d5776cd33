import { describe, expect, test } from 'vitest';
import { creationOf, externalWriteOf, notes, ownerOf, snapshotOf } from '../../testing/contract/given.ts';
import { checksum } from '../../value/hash/checksum.ts';
import { Keyring } from '../../value/secret/keyring.ts';
import { openRecord, openSnapshot, sealBatch, sealRecord, sealSnapshot } from './encode.ts';

const place = { runId: 'run', seq: 3 };
const entry = { kind: 'note', id: 'chosen', at: 1_000, payload: { deep: ['🚀', 1n, new Date(0)] } } as const;

describe('sealRecord()', () => {
  test('gives a record that opens again as it was', () => {
    const stored = sealRecord(place, entry);
    expect(stored).toMatchObject({ seq: 3 });
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

describe('sealBatch()', () => {
  const options = { token: 't', at: 5_000, keyring: undefined };

  test('gives what each writer asks for', () => {
    const owner = sealBatch(
      ownerOf('run', { expect: 2, fence: 3, epoch: 4, release: true, snapshot: snapshotOf(3), header: { wakeAt: 1 } }),
      options,
    );
    expect(owner).toMatchObject({ token: 't', expect: 2, epoch: 4, fence: 3, create: null, release: true, at: 5_000 });
    expect(owner).toMatchObject({ records: [{ seq: 3 }], snapshot: { covers: 3, seq: 3 }, header: { wakeAt: 1 } });
    const external = sealBatch({ ...externalWriteOf('run', { expect: 2 }), at: 7 }, options);
    expect(external).toMatchObject({ epoch: 0, fence: null, create: null, release: false, snapshot: null, at: 7 });
    const created = sealBatch(creationOf('run', { entries: notes(2) }), options);
    expect(created).toMatchObject({ expect: 0, create: { kind: 'graph' }, records: [{ seq: 1 }, { seq: 2 }] });
    expect(created.copy).toBeUndefined();
  });

  test('gives the parts of a copy their own time and the places of their snapshots', () => {
    const write = externalWriteOf('run', { expect: 4, snapshot: { ...snapshotOf(1), seq: 2 } });
    const part = sealBatch({ ...write, writer: { by: 'copier', of: null, floor: 0, end: 'seen', at: 9 } }, options);
    expect(part).toMatchObject({
      at: 9,
      create: null,
      copy: { floor: 0, end: 'seen' },
      snapshot: { covers: 1, seq: 2 },
    });
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
    expect(record).toMatchObject({ seq: 3 });
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
