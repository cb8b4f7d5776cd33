import { holdfastError } from '../errors/holdfast-error.ts';
import { type Bounds, defaultBounds, tooMany } from '../value/bounds.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { isLabel } from '../value/data-shape.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../value/id.ts';
import { printable } from '../value/printable.ts';
import type { RecordSource } from './record.ts';
import { isRecordSource } from './record-source.ts';

/**
 * A record as a user passes it.
 *
 * @example
 * ```ts
 * const found: NewRecord = { id: 'flights', source: 'tool', labels: ['search'], payload: { to: 'Oban' } };
 * await engine.journal.append('trip', found);
 * ```
 */
export interface NewRecord {
  readonly id?: string | undefined;
  readonly source?: RecordSource | undefined;
  readonly payload?: unknown;
  readonly labels?: readonly string[] | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

const keys: ReadonlySet<string> = new Set(['id', 'source', 'payload', 'labels', 'meta']);

/**
 * Checks a user's record and returns a frozen copy, so that what was checked is what is written.
 *
 * @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID, HOLDFAST_TOO_MANY, HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function checkNewRecord(value: unknown, { labels: limit }: Pick<Bounds, 'labels'> = defaultBounds): NewRecord {
  if (!isPlainObject(value))
    throw invalid(
      'record',
      'A record must be an object with the optional fields id, source, payload, labels and meta.',
    );
  const { id, source, labels, meta, ...rest } = frozenCopy(value);
  for (const key of Object.keys(rest)) {
    if (!keys.has(key))
      throw invalid(key, `Unknown record field "${printable(key)}". Put your own data in payload or meta.`);
  }
  if (source !== undefined && !(isRecordSource(source) && isLabel(source))) {
    throw invalid(
      'source',
      'The source of a record must be input, output, tool, system, or custom: followed by a label, at most 256 characters.',
    );
  }
  if (labels !== undefined && !(Array.isArray(labels) && labels.every(isRecordLabel))) {
    throw invalid('labels', 'The labels of a record must be an array of strings of 1 to 256 characters.');
  }
  if (labels !== undefined && labels.length > limit)
    throw tooMany('labels', limit, `A record was given ${labels.length} labels.`);
  if (meta !== undefined && !isPlainObject(meta)) throw invalid('meta', 'The meta of a record must be a plain object.');
  return {
    ...rest,
    id: id === undefined ? undefined : checkRecordId(id),
    source,
    labels,
    meta,
  };
}

function isRecordLabel(value: unknown): value is string {
  return isLabel(value) && value !== '';
}

function invalid(option: string, message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message, { details: { option } });
}
