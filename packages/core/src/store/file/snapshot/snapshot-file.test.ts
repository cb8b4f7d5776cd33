import { describe, expect, test } from 'vitest';
import { SimulatedDisk } from '../../../testing/disk/simulated-disk.ts';
import type { StoredSnapshot } from '../../contract/commit.ts';
import { isCorrupt } from '../read-records.ts';
import { encodeSnapshot, readSnapshot } from './snapshot-file.ts';

const key = { covers: 3, seq: 4 };

async function roundTrip(snapshot: StoredSnapshot): Promise<StoredSnapshot> {
  const disk = SimulatedDisk.of([['/s', encodeSnapshot('run', snapshot)]]);
  return readSnapshot(disk, '/s', { runId: 'run', key, body: true });
}

describe('the file of a snapshot', () => {
  test('is one JSON object', () => {
    const bytes = encodeSnapshot('run', {
      ...key,
      head: { text: 'j{"step":1}', crc: 1 },
      body: { text: 'j{"state":[1,2]}', crc: 2 },
    });
    expect(JSON.parse(bytes.toString())).toMatchObject({
      runId: 'run',
      covers: 3,
      seq: 4,
      head: { step: 1 },
      headCrc: 1,
      body: { state: [1, 2] },
      bodyCrc: 2,
    });
  });

  test.each(['jnull', 'j"headCrc"', 'j{"headCrc":9,"bodyCrc":8}', 'k\n\0', '', 'j', 'j"\ud800"', 'j[\n]'])(
    'gives any text back to the letter: %j',
    async (text) => {
      const snapshot = { ...key, head: { text, crc: 5 }, body: { text, crc: 6 } };
      expect(await roundTrip(snapshot)).toEqual(snapshot);
    },
  );

  test('is corrupt where it belongs to another run or another place', async () => {
    const part = { text: 'j1', crc: 1 };
    const disk = SimulatedDisk.of([['/s', encodeSnapshot('run', { ...key, head: part, body: part })]]);
    const found = await readSnapshot(disk, '/s', { runId: 'other', key, body: true });
    expect(isCorrupt(found)).toBe(true);
    expect(isCorrupt(await readSnapshot(disk, '/s', { runId: 'run', key: { covers: 3, seq: 5 }, body: false }))).toBe(
      true,
    );
    expect(isCorrupt(await readSnapshot(disk, '/gone', { runId: 'run', key, body: true }))).toBe(true);
  });

  test('is corrupt when something stands after it', async () => {
    const part = { text: 'j1', crc: 1 };
    const bytes = Buffer.concat([encodeSnapshot('run', { ...key, head: part, body: part }), Buffer.from('}\n')]);
    const disk = SimulatedDisk.of([['/s', bytes]]);
    expect(isCorrupt(await readSnapshot(disk, '/s', { runId: 'run', key, body: true }))).toBe(true);
  });

  test('passes on what the disk says', async () => {
    await expect(readSnapshot(new SimulatedDisk(), '/', { runId: 'run', key, body: true })).rejects.toMatchObject({
      code: 'EISDIR',
    });
  });
});
