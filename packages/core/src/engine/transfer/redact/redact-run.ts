import { type Cell, type FoldState, readCell } from '../../../delta/cell.ts';
import type { Delta, Deltas } from '../../../delta/delta.ts';
import { diffValues } from '../../../delta/diff-values.ts';
import { foldEntry } from '../../../history/fold.ts';
import { type NewEntry, placeEntry } from '../../../record/record.ts';
import type { StoredError } from '../../../runner/fold/stored-error.ts';
import { loadRun } from '../../../runner/load-run.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { setOwn } from '../../../value/codec/special.ts';
import { frozenCopy } from '../../../value/frozen/frozen-copy.ts';
import { beginOf, type Part } from '../moved-run.ts';
import { shownId, shownLabel, shownLabels, shownSource, shownText } from '../shown-names.ts';
import { redacted } from './patterns.ts';
import type { Redactor } from './redact.ts';
import { RedactedCheckpoints, type SnapshotParts } from './redact-checkpoints.ts';
import { redactDelta } from './redact-delta.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Redacts the pieces of a run, and with them the states that they add up to. */
export async function* redactParts(
  { store, header }: { readonly store: CheckedStore; readonly header: RunHeader },
  parts: AsyncIterable<Part>,
  redactor: Redactor,
): AsyncGenerator<Part> {
  const begin = beginOf(header);
  const isFresh = header.kind === 'journal' || begin === 0;
  const checkpoints = new RedactedCheckpoints(store, header.runId, redactor);
  const state = isFresh ? undefined : (await loadRun(store, header, { upTo: begin })).state.values;
  const journal = new RedactedJournal(header.runId, redactor, state ?? new Map());
  for await (const { after, entries, snapshot } of parts) {
    yield {
      after,
      entries: entries.map((entry, at) => journal.entry(entry, after + at + 1)),
      snapshot: snapshot && {
        ...snapshot,
        ...(header.kind === 'journal' ? await checkpoints.snapshot(snapshot) : journal.snapshot(snapshot)),
      },
    };
  }
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/**
 * Folds the original journal and writes the redacted one. Pointers redact a change by itself. For a function, changes are
 * computed again from the redacted states: it has to see each value as a whole.
 */
class RedactedJournal {
  readonly #runId: string;
  readonly #redactor: Redactor;
  #state: FoldState;
  /** The redacted state, for a function. */
  readonly #shown = new Map<string, unknown>();
  /** The names of questions and effects, by id. */
  readonly #names = new Map<string, string>();

  constructor(runId: string, redactor: Redactor, state: FoldState) {
    this.#runId = runId;
    this.#redactor = redactor;
    this.#state = state;
    if (redactor.patterns === undefined) for (const name of state.keys()) this.#remember(name);
  }

  entry(given: NewEntry, seq: number): NewEntry {
    const entry = this.#content(given, seq);
    const { id, source, labels } = entry;
    return {
      ...entry,
      ...(id !== undefined && { id: shownId(this.#redactor, id, seq) }),
      ...(source !== undefined && { source: shownSource(this.#redactor, source) }),
      ...(labels !== undefined && { labels: shownLabels(this.#redactor, labels) }),
    };
  }

  #content(entry: NewEntry, seq: number): NewEntry {
    const { kind, payload, meta } = entry;
    if (kind === 'note') {
      const shown = { payload: this.#redactor.value(['notes'], payload), meta: this.#redactor.value(['meta'], meta) };
      return { ...entry, ...shown, meta: isPlainObject(shown.meta) ? shown.meta : {} };
    }
    // A journal run's fork has its label there too, and no payload.
    if (kind === 'checkpoint' || (kind === 'fork' && payload === undefined))
      return { ...entry, meta: this.#checkpointMeta(meta ?? {}, seq) };
    if (!isPlainObject(payload)) return entry;
    const changed = this.#change(entry, seq);
    return { ...entry, payload: this.#payload(kind, { ...payload, ...changed }) };
  }

  /** The metadata in a checkpoint's record is redacted as in the checkpoint itself. */
  #checkpointMeta({ covers, superstep, label, status, alias, ...rest }: Fields, seq: number): Fields {
    // A hash of redacted values would allow guessing them.
    const metadata = this.#redactor.value(['metadata'], without(rest, ['content']));
    const shown = label === undefined ? undefined : shownLabel(this.#redactor, label);
    const shownAlias = alias === undefined ? undefined : shownId(this.#redactor, alias, seq);
    return { covers, superstep, label: shown, status, alias: shownAlias, ...(isPlainObject(metadata) && metadata) };
  }

  /** The run at its floor, without what only continuing it would need. */
  snapshot({ head, body }: SnapshotParts): SnapshotParts {
    const { run, ...rest } = body as Fields;
    const lasting = without(run as Fields, ['messages', 'answers', 'asked', 'turns']);
    const { input, end, cancel } = lasting;
    const values: Record<string, unknown> = {};
    for (const name of this.#state.keys()) {
      const value = this.#show(name);
      if (value !== undefined) setOwn(values, name, value);
    }
    const shown = {
      ...lasting,
      hash: '',
      ...(input !== undefined && { input: this.#redactor.value(['input'], input) }),
      ...(isPlainObject(end) && { end: this.#payload('run-end', end) }),
      ...(isPlainObject(cancel) && { cancel: this.#payload('cancel', cancel) }),
    };
    return { head, body: { ...rest, values, run: shown } };
  }

  #show(name: string): unknown {
    const cell = this.#state.get(name);
    return cell === undefined ? undefined : frozenCopy(this.#redactor.value(['state', name], readCell(cell)));
  }

  /** The redacted change of the state. */
  #change(entry: NewEntry, seq: number): Fields {
    const { delta, state } = entry.payload as Fields;
    if (!isPlainObject(delta) && !(entry.kind === 'migrate' && isPlainObject(state))) return {};
    const before = this.#state;
    this.#state = foldEntry(before, placeEntry(entry, this.#runId, seq));
    if (isPlainObject(delta)) {
      const shown: Record<string, Delta> = {};
      for (const [name, given] of Object.entries(delta as Deltas)) {
        const change = this.#shownChange(name, before.get(name), given);
        if (change !== undefined) setOwn(shown, name, change);
      }
      return { delta: shown };
    }
    this.#shown.clear();
    const values: Record<string, unknown> = {};
    for (const name of this.#state.keys()) setOwn(values, name, this.#remember(name));
    return { state: values };
  }

  #shownChange(name: string, before: Cell, delta: Delta): Delta | undefined {
    const { patterns } = this.#redactor;
    if (patterns !== undefined) return redactDelta(patterns, name, before, delta);
    return diffValues(this.#shown.get(name), this.#remember(name));
  }

  #remember(name: string): unknown {
    const value = this.#show(name);
    this.#shown.set(name, value);
    return value;
  }

  #payload(kind: NewEntry['kind'], payload: Fields): Fields {
    const { name, id, key, wait, of } = payload;
    const known = typeof name === 'string' ? name : this.#names.get(String(wait ?? key));
    if ((kind === 'wait' || kind === 'intent') && known !== undefined) this.#names.set(String(id ?? key), known);
    const made: Record<string, unknown> = { ...payload };
    const show = (field: string, place: Parameters<Redactor['value']>[0]): void => {
      if (made[field] !== undefined) made[field] = this.#redactor.value(place, made[field]);
    };
    // A redacted run is never continued, so what only that needs is left out.
    if ('update' in made) made['update'] = kind === 'task' ? undefined : {};
    if ('hash' in made) made['hash'] = '';
    for (const field of ['error', 'refused']) {
      if (made[field] !== undefined) made[field] = this.#redactor.error(made[field] as StoredError);
    }
    show('input', ['input']);
    show('output', ['output']);
    if (typeof made['turn'] === 'string') made['turn'] = shownText(this.#redactor.value(['ids'], made['turn']));
    for (const field of ['reason', 'by', 'label'] as const) {
      show(field, [field]);
      if (made[field] !== undefined && typeof made[field] !== 'string') made[field] = redacted;
    }
    if (kind === 'wait') show('show', ['questions', known ?? '']);
    if (kind === 'log') {
      show('message', ['logs', 'message']);
      show('data', ['logs', 'data']);
      made['message'] = shownText(made['message']);
    }
    if (kind === 'emit') made['items'] = this.#emits(made['items']);
    const root = ({ result: 'results', answer: 'answers', message: 'messages' } as const)[kind as 'result'];
    if (root !== undefined && 'value' in made) {
      // Without a name no pointer can match, so the whole value is redacted.
      if (known === undefined && of !== undefined) made['value'] = redacted;
      else show('value', [root, known ?? '']);
    }
    if (kind === 'settle' && isPlainObject(made['outcome'])) made['outcome'] = this.#settled(made['outcome'], known);
    return made;
  }

  #emits(items: unknown): unknown {
    return (items as readonly Fields[]).map((item) => ({
      ...item,
      data: this.#redactor.value(['emits'], item['data']),
    }));
  }

  #settled(outcome: Fields, name: string | undefined): Fields {
    if ('error' in outcome) return { error: String(this.#redactor.value(['errors', 'message'], outcome['error'])) };
    return { result: name === undefined ? redacted : this.#redactor.value(['results', name], outcome['result']) };
  }
}
