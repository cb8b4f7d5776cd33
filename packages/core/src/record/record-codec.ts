import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { decodeValue, encodeOwn } from '../value/codec/codec.ts';
import { isPlainObject } from '../value/codec/plain-object.ts';
import { formatCursor, type Place } from '../value/cursor.ts';
import { isTime } from '../value/data-shape.ts';
import { isRecordId } from '../value/id.ts';
import type { Keyring } from '../value/secret/keyring.ts';
import { checkPlain, isSecret, missingKey, type ReadSecret, type SecretPlace } from '../value/secret/secret.ts';
import { fitsKind } from './payload-shape.ts';
import { type Entry, type NewEntry, type RecordKind, recordKinds } from './record.ts';
import { isRecordSource } from './record-source.ts';

/** The version of the format below. Increase it when the format changes. */
const version = 1;
/** The same format with `secret` instead of meta and payload. */
const secretVersion = 2;
const kinds: ReadonlySet<unknown> = new Set(recordKinds);
const envelope = ['v', 'kind', 'at', 'id', 'source', 'labels'];
const keysOf: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  [version, new Set([...envelope, 'meta', 'payload'])],
  [secretVersion, new Set([...envelope, 'secret'])],
]);

type Fields = Record<string, unknown>;

/**
 * Encodes a record without its position and without fields that have their default. User values must be frozen copies.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function encodeEntry(entry: NewEntry): string {
  const fields = envelopeOf(version, entry);
  addContent(fields, entry);
  return encodeOwn(fields);
}

/**
 * Encodes a record with meta and payload encrypted, bound to its position and to the fields that stay readable.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE
 */
export function encodeSecretEntry(keyring: Keyring, place: Place, entry: NewEntry): string {
  const content: Fields = {};
  addContent(content, entry);
  const secret = keyring.hide(encodeOwn(content), secretPlace(place, entry));
  // Added as text, so that the size limit applies to the user's data and not to what encryption adds.
  return `${encodeOwn(envelopeOf(secretVersion, entry)).slice(0, -1)},"secret":${JSON.stringify(secret)}}`;
}

function envelopeOf(v: number, { kind, at, id, source, labels }: NewEntry): Fields {
  const fields: Fields = { v, kind, at };
  if (id !== undefined) fields['id'] = id;
  if (source !== undefined && source !== 'system') fields['source'] = source;
  if (labels !== undefined && labels.length > 0) fields['labels'] = labels;
  return fields;
}

function addContent(fields: Fields, { meta, payload }: NewEntry): void {
  if (meta !== undefined && Object.keys(meta).length > 0) fields['meta'] = meta;
  if (payload !== undefined) fields['payload'] = payload;
}

function secretPlace({ runId, seq }: Place, entry: NewEntry): SecretPlace {
  const { kind, at, id = null, source = 'system', labels = [] } = entry;
  return { where: formatCursor(runId, seq), bound: JSON.stringify([runId, seq, kind, at, id, source, labels]) };
}

/**
 * Decodes the text of `encodeEntry` or `encodeSecretEntry`. If `read` returns undefined for a secret, the record has no
 * meta and no payload.
 *
 * @throws HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY
 */
export function decodeEntry(place: Place, text: string, read: ReadSecret = missingKey): Entry {
  const fields = decodeFields(place, text);
  const { v, kind, at, id, source = 'system', labels = [] } = fields;
  const keys = keysOf.get(v);
  if (keys === undefined) throw wrongVersion(place, v);
  if (v === version) checkPlain(read, formatCursor(place.runId, place.seq));
  if (!isRecordKind(kind)) throw corrupt(place, 'unknown kind');
  if (typeof at !== 'number' || !isTime(at)) throw corrupt(place, 'invalid time');
  if (id !== undefined && !isRecordId(id)) throw corrupt(place, 'invalid id');
  if (!isRecordSource(source)) throw corrupt(place, 'invalid source');
  if (!isLabels(labels)) throw corrupt(place, 'invalid labels');
  for (const key of Object.keys(fields)) if (!keys.has(key)) throw corrupt(place, 'unknown field');
  const content = v === version ? fields : readContent(place, { kind, at, id, source, labels }, fields['secret'], read);
  const { meta = {}, payload } = content;
  if (!isPlainObject(meta)) throw corrupt(place, 'invalid meta');
  if (content !== closed && !fitsKind(kind, payload)) throw corrupt(place, `not a valid ${kind} record`);
  return { runId: place.runId, seq: place.seq, kind, id, source, at, labels, meta, payload };
}

function readContent(place: Place, entry: NewEntry, secret: unknown, read: ReadSecret): Fields {
  if (!isSecret(secret)) throw corrupt(place, 'invalid secret');
  const text = read(secret, secretPlace(place, entry));
  return text === undefined ? closed : decodeFields(place, text);
}

/** The content of a record whose key is missing. */
const closed: Fields = {};

function decodeFields(place: Place, text: string): Fields {
  let fields: unknown;
  try {
    fields = decodeValue(text);
  } catch (cause) {
    if (!HoldfastError.is(cause)) throw cause;
    const message = `Record ${formatCursor(place.runId, place.seq)}: ${cause.message}`;
    const where = formatCursor(place.runId, place.seq);
    throw holdfastError(cause.code, message, { details: { ...cause.details, where, ...place }, cause });
  }
  if (!isPlainObject(fields)) throw corrupt(place, 'not an object');
  return fields;
}

function isRecordKind(value: unknown): value is RecordKind {
  return kinds.has(value);
}

function isLabels(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((label) => typeof label === 'string' && label !== '');
}

function wrongVersion(place: Place, found: unknown): Error {
  if (!Number.isSafeInteger(found)) return corrupt(place, 'no version');
  return holdfastError(
    'HOLDFAST_UNKNOWN_FORMAT',
    `Record ${formatCursor(place.runId, place.seq)} has format version ${String(found)}, from a newer version of Holdfast. Nothing was written. Upgrade Holdfast.`,
    { details: { runId: place.runId, seq: place.seq, version: found } },
  );
}

function corrupt(place: Place, why: string): Error {
  return holdfastError(
    'HOLDFAST_CORRUPT',
    `Record ${formatCursor(place.runId, place.seq)} is corrupt: ${why}. Restore it from a backup.`,
    { details: { where: formatCursor(place.runId, place.seq), runId: place.runId, seq: place.seq } },
  );
}
