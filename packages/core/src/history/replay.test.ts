import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { channel } from '../channel/channel.ts';
import { channelSet } from '../channel/channel-set.ts';
import { counter } from '../channel/counter.ts';
import { list } from '../channel/list.ts';
import { map } from '../channel/map.ts';
import { messages } from '../channel/messages.ts';
import { newest } from '../channel/newest.ts';
import { replace } from '../channel/replace.ts';
import { type Applied, applyUpdates } from '../channel/update/apply-updates.ts';
import { type PreparedUpdate, parseUpdate, prepareUpdate } from '../channel/update/prepare-update.ts';
import { stateView } from '../channel/update/state-view.ts';
import { type FoldState, readCell } from '../delta/cell.ts';
import type { Entry } from '../record/record.ts';
import { decodeValue, encodeOwn } from '../value/codec/codec.ts';
import { sameValue } from '../value/equal.ts';
import { foldEntries, foldEntry } from './fold.ts';
import { snapshotBody, stateOfSnapshot } from './snapshot-body.ts';
import { addStep, mayBeDue, measured, newMeter, type SnapshotMeter } from './snapshot-policy.ts';

const channels = channelSet({
  plain: channel<unknown>(),
  schema: z.object({ text: z.string(), items: z.array(z.unknown()) }),
  own: channel<{ readonly seen: readonly unknown[]; readonly last: unknown }, unknown>({
    default: () => ({ seen: [], last: null }),
    reduce: (previous, next) => ({ seen: [...previous.seen, next].slice(-5), last: next }),
  }),
  list: list<unknown>(),
  checked: list(z.object({ n: z.number() })),
  messages: messages(),
  map: map<unknown>(),
  newest: newest(),
  counter: counter(),
});

// ── updates of every kind; a function makes one of what is in the state ──
type Update = Readonly<Record<string, unknown>>;
type Making = (view: Readonly<Record<string, unknown>>) => unknown;
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -0, Number.NaN, 12n, 'text', '$date', 'x'.repeat(60)),
  fc.string({ maxLength: 40 }),
  fc.date(),
  fc.uint8Array({ maxLength: 5 }),
);
const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '$map');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    fc.array(leaf, { maxLength: 3 }).map((items) => new Set(items)),
  ),
}));
const message = fc.record(
  { id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), content: fc.string({ maxLength: 80 }), extra: value },
  { requiredKeys: ['content'] },
);
const dated = fc.record({ at: fc.nat(20), extra: value });
const checked = fc.record({ n: fc.integer() });
const schema = fc.record({ text: fc.string({ maxLength: 80 }), items: fc.array(value, { maxLength: 5 }) });
const replacing = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<Making> =>
  arbitrary.map((each) => () => replace(each));
const making = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<Making> => arbitrary.map((each) => () => each);
const items = (name: string) => (view: Readonly<Record<string, unknown>>) => (view[name] ?? []) as readonly unknown[];
/** What reducers and nodes do with what they read: trim, drop, reorder, edit. */
const rework = (name: string): fc.Arbitrary<Making> =>
  fc.tuple(fc.nat(4), fc.nat(20)).map(([how, n]) => (view) => {
    const old = items(name)(view);
    const at = old.length === 0 ? 0 : n % old.length;
    const versions = [
      old.slice(at),
      old.slice(0, at),
      old.toReversed(),
      old.toSpliced(at, 1),
      [...old, ...old.slice(0, 2)],
    ];
    return replace(versions[how]);
  });
const grown: Making = (view) => {
  const old = (view['plain'] ?? {}) as Update;
  return { ...old, text: `${typeof old['text'] === 'string' ? old['text'] : 'long enough'} more` };
};
const edited: Making = (view) =>
  view['schema'] && { ...view['schema'], items: [...(view['schema'] as { items: unknown[] }).items, 1] };

const update = fc.record(
  {
    plain: fc.oneof(
      making(value),
      replacing(value),
      fc.constant<Making>(() => replace(undefined)),
      fc.constant(grown),
    ),
    schema: fc.oneof(making(schema), fc.constant(edited)),
    own: fc.oneof(making(value), replacing(fc.record({ seen: fc.array(value), last: value }))),
    list: fc.oneof(making(fc.oneof(leaf, fc.array(value, { maxLength: 4 }))), rework('list')),
    checked: fc.oneof(making(checked), making(fc.array(checked, { maxLength: 3 })), rework('checked')),
    messages: fc.oneof(
      making(message),
      making(fc.array(message, { maxLength: 4 })),
      rework('messages'),
      replacing(fc.array(message, { maxLength: 3 })),
    ),
    map: fc.oneof(
      making(fc.dictionary(key, fc.option(value, { nil: undefined }), { maxKeys: 3 })),
      replacing(fc.dictionary(key, value)),
    ),
    newest: fc.oneof(making(dated), replacing(fc.option(dated, { nil: undefined }))),
    counter: fc.oneof(making(fc.integer()), replacing(fc.integer())),
  },
  { requiredKeys: [] },
);
const steps = fc.array(fc.array(update, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });

// ── a run of them ──
interface Step extends Applied {
  readonly entry: Entry;
  readonly updateBytes: number;
  readonly deltaBytes: number;
  /** The state as it was when the step had just been made. */
  readonly text: string;
}

function made(update: Readonly<Record<string, Making>>, view: Update): Update {
  return Object.fromEntries(Object.entries(update).map(([name, make]): [string, unknown] => [name, make(view)]));
}

/** Told channel by channel, because a snapshot does not keep the order in which they got their first values. */
function textOf(state: FoldState): string {
  return Array.from(state, ([name, cell]) => `${name}: ${cell === undefined ? 'unset' : encodeOwn(readCell(cell))}`)
    .toSorted()
    .join('\n');
}

type Handling = (update: PreparedUpdate) => PreparedUpdate;
const asItIs: Handling = (prepared) => prepared;
/** As a task's result that waited in the journal: nothing is shared with the state any more. */
const throughTheJournal: Handling = (prepared) => parseUpdate(decodeValue(encodeOwn(prepared)));

function runSteps(
  given: readonly (readonly Readonly<Record<string, Making>>[])[],
  handling: Handling,
): readonly Step[] {
  const done: Step[] = [];
  let state: FoldState = new Map();
  for (const tasks of [[], ...given]) {
    const view = stateView(channels, state);
    const updates = tasks.map((each) => handling(prepareUpdate(channels, made(each, view)) as PreparedUpdate));
    const applied = applyUpdates(channels, state, updates);
    const text = encodeOwn({ delta: applied.delta });
    const seq = done.length + 1;
    const entry: Entry = {
      runId: 'r',
      seq,
      kind: 'superstep',
      id: undefined,
      source: 'system',
      at: 0,
      labels: [],
      meta: {},
      payload: decodeValue(text),
    };
    state = applied.state;
    done.push({
      ...applied,
      entry,
      deltaBytes: text.length,
      updateBytes: encodeOwn(updates).length,
      text: textOf(state),
    });
  }
  return done;
}

/** Whether this is so of any run of steps. */
function ofAnyRun(isSo: (done: readonly Step[], chosen: number) => boolean): void {
  const property = fc.property(steps, fc.nat(100), (made, chosen) => isSo(runSteps(made, asItIs), chosen));
  fc.assert(property, { numRuns: 25 });
}

const replays = (done: readonly Step[]): boolean => {
  let state: FoldState = new Map();
  for (const { entry, text } of done) {
    state = foldEntry(state, entry);
    if (textOf(state) !== text) return false;
  }
  return textOf(foldEntries(new Map(), entriesOf(done))) === done.at(-1)?.text;
};

const restores = (done: readonly Step[], chosen: number): boolean => {
  const from = chosen % done.length;
  const body = decodeValue(encodeOwn(snapshotBody((done[from] as Step).state)));
  return textOf(foldEntries(stateOfSnapshot(body), entriesOf(done.slice(from + 1)))) === done.at(-1)?.text;
};

const leavesOldStates = (done: readonly Step[]): boolean => done.every(({ state, text }) => textOf(state) === text);

const tellsOnlyChanges = (done: readonly Step[]): boolean =>
  done.every(({ isChanged, state, delta }, index) => {
    const before = done[index - 1]?.state ?? new Map<string, never>();
    const differing = [...state].filter(([name, cell]) => !before.has(name) || !Object.is(before.get(name), cell));
    if (isChanged !== differing.length > 0) return false;
    return sameNames(
      differing.map(([name]) => name),
      Object.keys(delta),
    );
  });

const takesFewBytes = (done: readonly Step[]): boolean => {
  let meter: SnapshotMeter = newMeter;
  let written = 0;
  let changes = 0;
  for (const { deltaBytes, updateBytes, state } of done) {
    written += deltaBytes;
    changes += updateBytes + 256;
    meter = addStep(meter, deltaBytes);
    if (!mayBeDue(meter)) continue;
    const size = encodeOwn(snapshotBody(state)).length;
    const result = measured(meter, size);
    meter = result.meter;
    if (result.due) written += size;
  }
  return written <= 2.4 * changes;
};

/** A moved object keeps the order of its keys; one that was edited in place until it is the same has them as they came. */
const haveSameValues = (a: FoldState = new Map(), b: FoldState = new Map()): boolean =>
  sameNames([...a.keys()], [...b.keys()]) &&
  [...a].every(([name, cell]) => sameValue(readCell(cell), readCell(b.get(name))));

const entriesOf = (done: readonly Step[]): readonly Entry[] => done.map(({ entry }) => entry);
const sameNames = (a: readonly string[], b: readonly string[]): boolean => a.toSorted().join() === b.toSorted().join();

describe('for any updates of all kinds of channels', () => {
  test.each<[string, (done: readonly Step[], chosen: number) => boolean]>([
    ['folding the deltas, without their code, gives exactly the state that the reducers gave, at every step', replays],
    ['a snapshot of any step and the records after it give the same', restores],
    ['a step leaves the states before it as they were', leavesOldStates],
    ['a step has a delta of the channels that it changed and of no others', tellsOnlyChanges],
    ['deltas and snapshots together take at most 2.4 times the updates and 256 bytes a step', takesFewBytes],
  ])('%s', (_name, isSo) => {
    expect(() => ofAnyRun(isSo)).not.toThrow();
  });

  test('the result does not depend on what is shared by reference', () => {
    const property = fc.property(steps, (made) =>
      haveSameValues(runSteps(made, asItIs).at(-1)?.state, runSteps(made, throughTheJournal).at(-1)?.state),
    );
    expect(() => fc.assert(property, { numRuns: 25 })).not.toThrow();
  });
});
