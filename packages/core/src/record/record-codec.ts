import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { decodeValue, encodeLate, encodeOwn, type LateText } from '../value/codec.ts';
import { formatCursor, type Place } from '../value/cursor.ts';
import { isRecordId } from '../value/id.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { type Entry, type NewEntry, type RecordKind, recordKinds } from './record.ts';
import { isRecordChannel } from './record-channel.ts';

/** The version of the shape below; a change of it is a new number. */
const version = 1;
const kinds: ReadonlySet<unknown> = new Set(recordKinds);
const keys: ReadonlySet<string> = new Set(['v', 'kind', 'at', 'id', 'channel', 'tags', 'meta', 'payload']);

type Fields = Record<string, unknown>;

/**
 * The text of a record without its place: what is as it is by default is left out. What a user gave is in it as a frozen
 * copy.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function encodeEntry(entry: NewEntry): string {
  return encodeOwn(fieldsOf(entry));
}

/** The same, made when it is read; undefined where it has to be made now. Nobody may change the entry any more. */
export function encodeEntryLate(entry: NewEntry): LateText | undefined {
  return encodeLate(fieldsOf(entry));
}

function fieldsOf(entry: NewEntry): Fields {
  const { id, channel, tags, meta, payload } = entry;
  const fields: Fields = { v: version, kind: entry.kind, at: entry.at };
  if (id !== undefined) fields['id'] = id;
  if (channel !== undefined && channel !== 'system') fields['channel'] = channel;
  if (tags !== undefined && tags.length > 0) fields['tags'] = tags;
  if (meta !== undefined && Object.keys(meta).length > 0) fields['meta'] = meta;
  if (payload !== undefined) fields['payload'] = payload;
  return fields;
}

/**
 * The record of a text that `encodeEntry` made, at its place.
 *
 * @throws HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_DAMAGED
 */
export function decodeEntry(place: Place, text: string): Entry {
  const fields = decodeFields(place, text);
  const { v, kind, at, id, channel = 'system', tags = [], meta = {}, payload } = fields;
  if (v !== version) throw wrongVersion(place, v);
  if (!isRecordKind(kind)) throw damaged(place, 'its kind is not known');
  if (typeof at !== 'number' || !Number.isFinite(at)) throw damaged(place, 'its time is none');
  if (id !== undefined && !isRecordId(id)) throw damaged(place, 'its id is none');
  if (!isRecordChannel(channel)) throw damaged(place, 'its channel is none');
  if (!isTags(tags)) throw damaged(place, 'its tags are none');
  if (!isPlainObject(meta)) throw damaged(place, 'its meta is none');
  for (const key of Object.keys(fields)) if (!keys.has(key)) throw damaged(place, 'it has a field that is not known');
  return { run: place.run, seq: place.seq, kind, id, channel, at, tags, meta, payload };
}

function decodeFields(place: Place, text: string): Fields {
  let fields: unknown;
  try {
    fields = decodeValue(text);
  } catch (cause) {
    if (!HoldfastError.is(cause)) throw cause;
    const message = `Record ${formatCursor(place.run, place.seq)}: ${cause.message}`;
    throw holdfastError(cause.code, message, { details: { ...cause.details, ...place }, cause });
  }
  if (!isPlainObject(fields)) throw damaged(place, 'it is not an object');
  return fields;
}

function isRecordKind(value: unknown): value is RecordKind {
  return kinds.has(value);
}

function isTags(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((tag) => typeof tag === 'string' && tag !== '');
}

function wrongVersion(place: Place, found: unknown): Error {
  if (!Number.isSafeInteger(found)) return damaged(place, 'it has no version');
  return holdfastError(
    'HOLDFAST_UNKNOWN_FORMAT',
    `Record ${formatCursor(place.run, place.seq)} has version ${String(found)} and comes from a newer version of Holdfast; nothing was written. Use that version or a newer one.`,
    { details: { run: place.run, seq: place.seq, version: found } },
  );
}

function damaged(place: Place, why: string): Error {
  return holdfastError(
    'HOLDFAST_DAMAGED',
    `Record ${formatCursor(place.run, place.seq)} is damaged: ${why}. Restore it from a backup.`,
    { details: { run: place.run, seq: place.seq } },
  );
}
