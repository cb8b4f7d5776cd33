import { isCount, listOf, type Shape } from '../../../value/data-shape.ts';
import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import type { StoredRecord } from '../../contract/commit.ts';
import { storedJson } from '../../stored-json.ts';
import { lengthenText, shortenText } from './short-text.ts';

/** The records of one commit in one row. */
export interface PackedRow {
  /** Of the last record. */
  readonly seq: number;
  /** The checksum of the one record (with a sign, which takes less room), or JSON with length and checksum of each. */
  readonly parts: number | string;
  /** The texts, each made short, one after the other. */
  readonly text: string;
}

type Part = readonly [length: number, crc: number];

/** Packs the records of a commit; most have a single one, and that costs nothing more. */
export function packRecords(records: readonly StoredRecord[]): PackedRow {
  const last = records.at(-1) as StoredRecord;
  const { seq } = last;
  if (records.length === 1) return { seq, parts: last.crc | 0, text: shortenText(last.text) };
  const texts = records.map(({ text }) => shortenText(text));
  const parts = records.map(({ crc }, at): Part => [(texts[at] as string).length, crc]);
  return { seq, parts: JSON.stringify(parts), text: texts.join('') };
}

/** The records again, the oldest first. Their own checksums tell whether the text is what it was. */
export function unpackRecords({ seq, parts, text }: PackedRow): readonly StoredRecord[] {
  if (typeof parts === 'number') return [{ seq, text: lengthenText(text), crc: parts >>> 0 }];
  const list = partsOf(parts) ?? [];
  let from = 0;
  return list.map(([length, crc], at) => {
    from += length;
    const short = text.slice(from - length, from);
    return { seq: seq - list.length + 1 + at, text: lengthenText(short), crc };
  });
}

/** How many records the row has; undefined if it does not say. */
export function countOf(parts: number | string): number | undefined {
  return typeof parts === 'number' ? 1 : partsOf(parts)?.length;
}

const isPart: Shape = (value) => Array.isArray(value) && value.length === 2 && value.every(isCount);

/** A row has one record at least: a walk from row to row would not end. */
function partsOf(parts: string): readonly Part[] | undefined {
  return storedJson(parts, (value) => listOf(isPart)(value) && (value as Part[]).length > 0) as
    | readonly Part[]
    | undefined;
}

/** A row's place in the chain of its run's rows, and the batch that it is of. */
export interface RowPlace {
  readonly run: number;
  readonly seq: number;
  /** The run's row before it; 0 for the first. */
  readonly prev: number;
  readonly parts: number | string;
  readonly token: string;
}

/** The checksum of all of a row but its text, which its records' checksums cover. */
export function sumOfPlace({ run, seq, prev, parts, token }: RowPlace): number {
  return addToSum(addToSum(addToSum(addToSum(addToSum(emptySum, run), seq), prev), parts), token);
}
