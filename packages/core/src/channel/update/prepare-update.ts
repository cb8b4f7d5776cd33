import type { Awaitable } from '../../async/awaitable.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { setOwn } from '../../value/codec/special.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { printable } from '../../value/printable.ts';
import type { ChannelSet } from '../channel-set.ts';
import type { Behaviour, Write } from '../definition.ts';
import { replace, replacement } from '../replace.ts';
import { checkAll } from './check-all.ts';

/** A checked update. Plain data that `applyUpdates` takes now or, from the journal, later. */
export type PreparedUpdate = Readonly<Record<string, Write>>;

/**
 * Checks the result of a node, and copies and freezes what is new in it. Synchronous unless a schema is asynchronous.
 *
 * @throws HOLDFAST_UNKNOWN_CHANNEL, HOLDFAST_INVALID_VALUE, HOLDFAST_UNSERIALIZABLE, with the channel and the path.
 */
export function prepareUpdate(channels: ChannelSet, update: unknown): Awaitable<PreparedUpdate> {
  return prepareNames(channels, update, writtenNames(channels, update));
}

/**
 * Checks the input of a run: like an update, but schemas also validate missing channels.
 *
 * @throws HOLDFAST_UNKNOWN_CHANNEL, HOLDFAST_INVALID_VALUE, HOLDFAST_UNSERIALIZABLE, with the channel and the path.
 */
export function prepareInput(channels: ChannelSet, input: unknown): Awaitable<PreparedUpdate> {
  const names = writtenNames(channels, input);
  const written = new Set(names);
  const left = [...channels].filter(([name, behaviour]) => behaviour.completesInput && !written.has(name));
  return prepareNames(channels, input, [...names, ...left.map(([name]) => name)]);
}

/**
 * Checks values that bypass the reducers: the edits of a fork, or a migrated state.
 *
 * @throws HOLDFAST_UNKNOWN_CHANNEL, HOLDFAST_INVALID_VALUE, HOLDFAST_UNSERIALIZABLE, with the channel and the path.
 */
export function prepareValues(channels: ChannelSet, values: unknown): Awaitable<PreparedUpdate> {
  const names = writtenNames(channels, values);
  const update = Object.fromEntries(names.map((name) => [name, replace((values as Fields)[name])]));
  return prepareNames(channels, update, names);
}

/**
 * An update that was read from a journal.
 *
 * @throws HOLDFAST_CORRUPT
 */
export function parseUpdate(value: unknown): PreparedUpdate {
  const update: Record<string, Write> = {};
  for (const [name, write] of Object.entries(Object(value) as object)) {
    if (!isWrite(write))
      throw holdfastError(
        'HOLDFAST_CORRUPT',
        'The journal is corrupt: a record does not contain a valid update. Restore it from a backup.',
      );
    setOwn(update, name, [write[0], frozenCopy(write[1])]);
  }
  return update;
}

function isWrite(value: unknown): value is Write {
  return Array.isArray(value) && value.length === 2 && (value[0] === 'write' || value[0] === 'replace');
}

/** The channels that an update writes. Undefined keys are not written. */
function writtenNames(channels: ChannelSet, update: unknown): readonly string[] {
  if (update === undefined) return [];
  if (typeof update !== 'object' || update === null || Array.isArray(update)) {
    const found = Array.isArray(update) ? 'an array' : update === null ? 'null' : `a ${typeof update}`;
    throw holdfastError(
      'HOLDFAST_INVALID_VALUE',
      `An update must be an object with one key per channel, not ${found}.`,
      {
        details: { path: '' },
      },
    );
  }
  const names = Object.keys(update);
  let isWhole = true;
  for (const name of names) isWhole &&= (update as Fields)[name] !== undefined && channels.has(name);
  // An unknown name stays, so that it is refused together with everything else that is wrong.
  return isWhole ? names : names.filter((name) => (update as Fields)[name] !== undefined || !channels.has(name));
}

type Fields = Readonly<Record<string, unknown>>;

function prepareNames(channels: ChannelSet, update: unknown, names: readonly string[]): Awaitable<PreparedUpdate> {
  const prepared: Record<string, Write> = {};
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] as string;
    let write: Awaitable<Write>;
    try {
      write = prepareOne(channels, name, (update as Fields | undefined)?.[name]);
    } catch {
      return prepareRest({ channels, update, names });
    }
    if (write instanceof Promise) return prepareRest({ channels, update, names, waiting: { at, write } });
    prepared[name] = write;
  }
  return prepared;
}

interface Rest {
  readonly channels: ChannelSet;
  readonly update: unknown;
  readonly names: readonly string[];
  /** The first asynchronous write: its schema is not asked twice. */
  readonly waiting?: { readonly at: number; readonly write: Promise<Write> };
}

/** Prepares an update that is wrong or asynchronous, and reports everything that is wrong with it. */
function prepareRest({ channels, update, names, waiting }: Rest): Awaitable<PreparedUpdate> {
  const writes = checkAll(names, (name, at) =>
    at === waiting?.at ? waiting.write : prepareOne(channels, name, (update as Fields | undefined)?.[name]),
  );
  const joined = (all: readonly Write[]): PreparedUpdate =>
    Object.fromEntries(names.map((name, at) => [name, all[at] as Write]));
  return writes instanceof Promise ? writes.then(joined) : joined(writes);
}

function prepareOne(channels: ChannelSet, name: string, value: unknown): Awaitable<Write> {
  const behaviour: Behaviour | undefined = channels.get(name);
  if (behaviour === undefined) throw unknownChannel(channels, name);
  const { prepare, prepareReplace } = behaviour;
  const replaced = replacement(value);
  const how = replaced === undefined ? 'write' : 'replace';
  const prepared = replaced === undefined ? prepare(name, value) : prepareReplace(name, replaced.value);
  return prepared instanceof Promise ? prepared.then((each): Write => [how, each]) : [how, prepared];
}

/** The error for a channel that a state does not have. */
export function unknownChannel(channels: ChannelSet, name: string): Error {
  const known = [...channels.keys()];
  return holdfastError(
    'HOLDFAST_UNKNOWN_CHANNEL',
    `No channel is named "${printable(name)}". ${known.length === 0 ? 'The state has no channels' : `The state has ${known.join(', ')}`}.`,
    { details: { channel: name, known } },
  );
}
