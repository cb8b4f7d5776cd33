import { holdfastError } from '../errors/holdfast-error.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../value/id.ts';
import { printable } from '../value/printable.ts';
import type { RecordSource } from './record.ts';
import { isRecordSource } from './record-source.ts';

/** A record as a user gives it. */
export interface NewRecord {
  readonly id?: string | undefined;
  readonly source?: RecordSource | undefined;
  readonly payload?: unknown;
  readonly labels?: readonly string[] | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

const keys: ReadonlySet<string> = new Set(['id', 'source', 'payload', 'labels', 'meta']);

/**
 * Gives back a frozen copy of a record that a user gave, so that what was checked is what is written.
 *
 * @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID, HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function checkNewRecord(value: unknown): NewRecord {
  if (!isPlainObject(value))
    throw invalid('record', 'A record is an object with id, source, payload, labels and meta, all of them optional.');
  const { id, source, labels, meta, ...rest } = frozenCopy(value);
  for (const key of Object.keys(rest)) {
    if (!keys.has(key))
      throw invalid(key, `A record has no field "${printable(key)}". Put data of your own into payload or meta.`);
  }
  if (source !== undefined && !isRecordSource(source)) {
    throw invalid('source', 'The source of a record is input, output, tool, system, or custom: followed by a label.');
  }
  if (labels !== undefined && !(Array.isArray(labels) && labels.every(isLabel))) {
    throw invalid('labels', 'The labels of a record are an array of strings that are not empty.');
  }
  if (meta !== undefined && !isPlainObject(meta)) throw invalid('meta', 'The meta of a record is a plain object.');
  return {
    ...rest,
    id: id === undefined ? undefined : checkRecordId(id),
    source,
    labels,
    meta,
  };
}

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function invalid(option: string, message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message, { details: { option } });
}
