import { HoldfastError, holdfastError } from '../../../src/errors/holdfast-error.ts';
import { openSnapshot } from '../../../src/store/commit/encode.ts';
import type { Sealed, StoredSnapshot } from '../../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import { goodPart } from '../../../src/store/file/segment/segment-scan.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import { formatCursor } from '../../../src/value/cursor.ts';
import { checksum } from '../../../src/value/hash/checksum.ts';
import { newline, seal, sealLine } from '../../../src/value/hash/sealed-line.ts';
import { kindOf, misreadFiles } from '../disk/broken-files.ts';
import type { Mutant } from '../mutant/mutant.ts';
import { linesOf } from './corrupt-copies.ts';
import { sqliteCorruptionMutants } from './sqlite-corruption-mutants.ts';

/** The end of a sealed line: the member with its checksum, the brace and the newline. */
const sealBytes = ',"sum":"00000000"}\n'.length;

const base = { breaks: 'P6', caughtBy: ['corruption'] } as const;

/** The mutants that corruption must show. */
export const corruptionMutants: readonly Mutant[] = [
  {
    ...base,
    name: 'no-checksum',
    does: 'reads lines and records whatever their checksums say',
    stores: ['file'],
    files: (files) =>
      misreadFiles(files, (bytes, path) => (kindOf(path) === 'journal' ? resealed(bytes, journalPlaces(path)) : bytes)),
    driver: withoutCrcs,
  },
  {
    ...base,
    name: 'header-unsummed',
    does: 'reads the last line of a commit whatever its checksum says',
    stores: ['file'],
    files: (files) =>
      misreadFiles(files, (bytes, path) => {
        const places = journalPlaces(path);
        return kindOf(path) === 'journal'
          ? resealed(bytes, (line, at) => (isTail(line) ? places(line, at) : undefined))
          : bytes;
      }),
  },
  {
    ...base,
    name: 'index-unsummed',
    does: 'reads the index whatever its checksums say',
    stores: ['file'],
    files: (files) =>
      misreadFiles(files, (bytes, path) => {
        let line = -1;
        return path.endsWith('/index.jsonl') ? resealed(bytes, () => `index ${(line += 1)} `) : bytes;
      }),
  },
  {
    ...base,
    name: 'lease-unsummed',
    does: 'reads the leases whatever their checksum says',
    stores: ['file'],
    files: (files) =>
      misreadFiles(files, (bytes, path) =>
        path.endsWith('/leases.json') ? resealed(bytes, () => 'leases.json ') : bytes,
      ),
  },
  {
    ...base,
    name: 'corruption-taken-for-torn',
    does: 'cuts off the last commit whenever it is not what was written',
    stores: ['file'],
    files: (files) => misreadFiles(files, (bytes, path) => (kindOf(path) === 'journal' ? torn(bytes, path) : bytes)),
  },
  {
    ...base,
    name: 'snapshot-unbound',
    does: 'takes a snapshot for the one that its file is named after',
    stores: ['file'],
    files: (files) =>
      misreadFiles(files, (bytes, path) => (kindOf(path) === 'snapshot' ? rebound(bytes, path) : bytes)),
    driver: withoutCrcs,
  },
  {
    ...base,
    name: 'corrupt-snapshot-hidden',
    does: 'leaves a corrupt snapshot out as if it had been pruned',
    stores: ['file', 'sqlite'],
    driver: (driver) =>
      withCalls(driver, {
        snapshots: async (query) =>
          (await driver.snapshots(query)).filter((snapshot) => openSnapshot(query.runId, snapshot).ok),
      }),
  },
  {
    ...base,
    name: 'corruption-without-place',
    does: 'says that there is corruption and not where',
    stores: ['file', 'sqlite'],
    driver: (driver) =>
      withCalls(driver, {
        records: (query) => withoutPlace(driver.records(query)),
        runs: (query) => withoutPlace(driver.runs(query)),
      }),
  },
  ...sqliteCorruptionMutants,
  {
    ...base,
    breaks: 'P9',
    name: 'newer-format-taken',
    does: 'takes the format of a newer version for its own',
    stores: ['file'],
    files: (files) =>
      misreadFiles(files, (bytes, path) =>
        path.endsWith('/holdfast.json')
          ? Buffer.from(sealLine('format ', '{"format":"holdfast file store","version":1'))
          : bytes,
      ),
  },
  {
    ...base,
    name: 'record-unsummed',
    does: 'reads a record whatever its checksum says',
    stores: ['sqlite'],
    driver: withoutCrcs,
  },
];

type PlaceOf = (line: Uint8Array, offset: number) => string | undefined;

/** The lines with the checksums that their places ask for; where no place is given, as they are. */
function resealed(bytes: Uint8Array, placeOf: PlaceOf): Uint8Array {
  let offset = 0;
  const lines = linesOf(bytes).map((line) => {
    const place = line.length > sealBytes && line.at(-1) === newline ? placeOf(line, offset) : undefined;
    offset += line.length;
    if (place === undefined) return line;
    const members = Buffer.from(line.subarray(0, -sealBytes)).toString('utf8');
    return Buffer.from(`${seal(place, members)}}\n`);
  });
  return Uint8Array.from(Buffer.concat(lines));
}

/** Places as the file store has them: the folder, the first seq and the offset. */
function journalPlaces(path: string): PlaceOf {
  const { folder, first } = segmentOf(path);
  return (_, offset) => `${folder} ${first} ${offset} `;
}

/** The snapshot as it would be if it had been written under the name that its file has; one that is corrupt, as it is. */
function rebound(bytes: Uint8Array, path: string): Uint8Array {
  const [covers, seq] = path.slice(path.lastIndexOf('/')).match(/\d+/g) ?? [];
  const found =
    /^\{"runId":"([^"]+)","covers":(\d+),"seq":(\d+),(.*),"headSum":"(.{8})",\n(.*),"bodySum":"(.{8})"\}\n$/su.exec(
      Buffer.from(bytes).toString('utf8'),
    );
  if (found === null || covers === undefined || seq === undefined) return bytes;
  const [, runId, oldCovers, oldSeq, head, , body] = found as unknown as readonly string[];
  const write = (at: readonly [string, string]): Buffer => {
    const place = `${runId} snapshot ${at[0]} ${at[1]}`;
    const first = seal(`${place} head `, `{"runId":"${runId}","covers":${at[0]},"seq":${at[1]},${head}`, 'headSum');
    return Buffer.from(`${first},\n${seal(`${place} body `, body as string, 'bodySum')}}\n`);
  };
  const isWhole = write([oldCovers as string, oldSeq as string]).equals(bytes);
  return isWhole ? Uint8Array.from(write([covers, seq])) : bytes;
}

/** What stands after the last good commit, with zeros: so that it looks like lost sectors. */
function torn(bytes: Uint8Array, path: string): Uint8Array {
  const { end } = goodPart({ bytes: Buffer.from(bytes), base: 0, ...segmentOf(path) });
  return end === bytes.length ? bytes : Uint8Array.from([...bytes.subarray(0, end), 0, 0]);
}

function segmentOf(path: string): { readonly folder: string; readonly first: number } {
  const [folder, name] = path.split('/').slice(-2) as [string, string];
  return { folder, first: Number(/\d+/.exec(name)?.[0]) };
}

/** Gives every record and snapshot the checksum that it ought to have. */
function withoutCrcs(driver: StoreDriver): StoreDriver {
  return withCalls(driver, {
    records: async (query) =>
      (await driver.records(query)).map((record) => ({
        ...record,
        ...resealedText(formatCursor(query.runId, record.seq), record),
      })),
    snapshots: async (query) =>
      (await driver.snapshots(query)).map((snapshot) => resealedSnapshot(query.runId, snapshot)),
  });
}

function resealedSnapshot(runId: string, { covers, seq, head, body }: StoredSnapshot): StoredSnapshot {
  const place = `${formatCursor(runId, seq)} snapshot of ${covers}`;
  return { covers, seq, head: resealedText(`${place} head`, head), body: body && resealedText(`${place} body`, body) };
}

/** What a driver itself gives as corrupt stays so: no text has a checksum below 0. */
function resealedText(place: string, { text, crc }: Sealed): Sealed {
  return { text, crc: crc < 0 ? crc : checksum(place, text) };
}

async function withoutPlace<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
    throw holdfastError('HOLDFAST_CORRUPT', 'The store is corrupt.');
  }
}

function isTail(line: Uint8Array): boolean {
  return Buffer.from(line).toString('latin1').startsWith('{"end":true,');
}
