import { isCount, listOf, type Shape } from '../../../value/data-shape.ts';
import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import type { StoredRecord } from '../../contract/commit.ts';
import { storedJson } from '../../stored-json.ts';
import { corrupt } from '../../table/corrupt.ts';
import type { Row } from '../connection/database.ts';

/** The records of one commit in one row. */
export interface PackedRow {
  readonly key: string;
  /** Of the last record. */
  readonly seq: number;
  /** Of the first record. */
  readonly first: number;
  readonly token: string;
  /** Length and checksum of each record's text, as JSON. */
  readonly parts: string;
  /** The texts, one after the other. */
  readonly text: string;
}

type Part = readonly [length: number, crc: number];

/** The columns of a row, as `readRow` reads them. */
export const rowColumns = 'w.key::text, w.seq, w.first, w.token, w.parts, w.sum, w.text';

/** Packs the records of a commit. */
export function packRecords(key: string, token: string, records: readonly StoredRecord[]): PackedRow {
  const parts = records.map(({ text, crc }): Part => [text.length, crc]);
  return {
    key,
    seq: (records.at(-1) as StoredRecord).seq,
    first: (records[0] as StoredRecord).seq,
    token,
    parts: JSON.stringify(parts),
    text: records.map(({ text }) => text).join(''),
  };
}

/** The records again, the oldest first. Their own checksums tell whether the text is what it was. */
export function unpackRecords({ first, parts, text }: PackedRow): readonly StoredRecord[] {
  let from = 0;
  return (partsOf(parts) ?? []).map(([length, crc], at) => {
    from += length;
    return { seq: first + at, text: text.slice(from - length, from), crc };
  });
}

const isPart: Shape = (value) => Array.isArray(value) && value.length === 2 && value.every(isCount);

function partsOf(parts: string): readonly Part[] | undefined {
  return storedJson(parts, listOf(isPart)) as readonly Part[] | undefined;
}

/** The checksum of all of a row but its text, which its records' checksums cover. */
export function sumOfPlace({ key, seq, first, token, parts }: PackedRow): number {
  return [key, seq, first, token, parts].reduce<number>(addToSum, emptySum);
}

/** A row from its columns, checked. @throws HOLDFAST_CORRUPT */
export function readRow(runId: string, columns: Row): PackedRow {
  const [key, seq, first, token, parts, sum, text] = columns as [
    string,
    unknown,
    unknown,
    string,
    string,
    number,
    string,
  ];
  const row = { key, seq: Number(seq), first: Number(first), token, parts, text };
  const wrong = (what: string): Error => corrupt({ table: 'rows', runId, seq: row.seq }, what);
  if (sumOfPlace(row) !== sum) throw wrong('its checksum does not match');
  const count = partsOf(parts)?.length ?? 0;
  if (count === 0 || count !== row.seq - row.first + 1) throw wrong('its records are not the ones it names');
  return row;
}
