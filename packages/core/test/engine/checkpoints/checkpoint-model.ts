import assert from 'node:assert/strict';
import type { Engine } from 'holdfast';

import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { all } from '../every-place.ts';

/** What a session uses of an engine. */
export type Loop = Pick<Engine, 'checkpoints' | 'journal' | 'verify'>;

type State = Record<string, unknown>;

interface ModelCheckpoint {
  readonly id: string;
  readonly seq: number;
  readonly covers: number;
  /** A copy that nobody changes. */
  readonly state: State;
}

interface ModelRun {
  readonly id: string;
  head: number;
  /** Its own, as they were saved. */
  checkpoints: ModelCheckpoint[];
  readonly base: { readonly run: ModelRun; readonly seq: number } | undefined;
  /** Whether the records up to its first checkpoint, and what it was forked from, are gone. */
  floor: number;
  /** The object that a caller changes and saves, again and again. */
  readonly held: Held;
}

interface Held {
  n: number;
  log: unknown[];
  notes: Record<string, { text: string; tags: string[] }>;
  readonly pages: Map<string | number, { text: string }>;
  readonly names: Set<string>;
  gone?: Date | undefined;
}

/** Random calls of one seed, each compared with the model; and all that can be read, at the end. */
export class CheckpointSession {
  readonly #random: () => number;
  /** An engine for the next call: the same, another one on the same store, or one that has just been opened. */
  readonly #engine: () => Promise<Loop>;
  readonly #runs: ModelRun[] = [];
  #count = 0;

  constructor(seed: number, engine: () => Promise<Loop>) {
    this.#random = seededRandom(seed);
    this.#engine = engine;
    this.#runs.push(newRun('run', undefined));
  }

  async play(calls: number): Promise<void> {
    for (let call = 0; call < calls; call += 1) await this.#call();
    for (const run of this.#runs) await this.#compare(run);
    assert.deepEqual((await (await this.#engine()).verify()).corruption, []);
  }

  #call(): Promise<void> {
    const run = this.#pick(this.#runs);
    const calls = [
      () => this.#saveHeld(run),
      () => this.#saveHeld(run),
      () => this.#saveHeld(run),
      () => this.#saveNew(run),
      () => this.#saveOn(run),
      () => this.#saveChange(run),
      () => this.#append(run),
      () => this.#fork(run),
      () => this.#prune(run),
      () => this.#compare(run),
    ];
    return this.#pick(calls)();
  }

  /** Changes the object that was saved before, and saves it again. */
  async #saveHeld(run: ModelRun): Promise<void> {
    this.#change(run.held);
    await this.#save(run, { state: run.held as unknown as State }, run.held as unknown as State);
  }

  /** Another object, equal in part. */
  async #saveNew(run: ModelRun): Promise<void> {
    const state = structuredClone(run.held);
    this.#change(state);
    await this.#save(run, { state: state as unknown as State }, state as unknown as State);
  }

  async #saveOn(run: ModelRun): Promise<void> {
    const base = this.#some(seen(run));
    if (base === undefined) return;
    const state = structuredClone(base.state) as unknown as Held;
    this.#change(state);
    await this.#save(run, { base: base.id, state: state as unknown as State }, state as unknown as State);
  }

  async #saveChange(run: ModelRun): Promise<void> {
    const base = this.#some(seen(run));
    if (base === undefined) return;
    const item = { text: this.#text() };
    const n = this.#count;
    const log = [...(base.state['log'] as unknown[]), item];
    const change = { n: ['=', n], log: ['+', [item]], gone: ['-'] } as const;
    await this.#save(run, { base: base.id, change }, { ...base.state, n, log, gone: undefined });
  }

  async #save(run: ModelRun, given: Parameters<Loop['checkpoints']['save']>[1], state: State): Promise<void> {
    const { checkpoints } = await this.#engine();
    // Now and then it covers less than everything, which changes its place in the order.
    const covers = this.#roll(8) === 0 ? Math.max(run.floor, run.head - 1) : undefined;
    const saved = await checkpoints.save(run.id, { ...given, covers });
    run.head += 1;
    const own = { id: `${run.id}@${run.head}`, seq: run.head, covers: covers ?? run.head - 1, state: copied(state) };
    assert.deepEqual([saved.id, saved.covers], [own.id, own.covers]);
    run.checkpoints.push(own);
  }

  async #append(run: ModelRun): Promise<void> {
    const { journal } = await this.#engine();
    const records = Array.from({ length: 1 + this.#roll(3) }, () => ({ payload: this.#text() }));
    await journal.append(run.id, records, { expect: run.head });
    run.head += records.length;
    await assert.rejects(journal.append(run.id, [{}], { expect: run.head - 1 }), { code: 'HOLDFAST_CONFLICT' });
  }

  async #fork(run: ModelRun): Promise<void> {
    const base = this.#some(seen(run));
    if (base === undefined || this.#runs.length >= 5) return;
    const { checkpoints } = await this.#engine();
    const id = `fork-${this.#runs.length}`;
    const holder = this.#runs.find((each) => each.checkpoints.includes(base)) as ModelRun;
    await checkpoints.fork(base.id, { id, set: { n: -1 } });
    const fork = newRun(id, { run: holder, seq: base.seq });
    fork.head = base.seq + 1;
    const state = copied({ ...base.state, n: -1 });
    fork.checkpoints.push({ id: `${id}@${fork.head}`, seq: fork.head, covers: base.seq, state });
    this.#runs.push(fork);
  }

  /** Keeps the newest, the latest, and those that forks begin with. */
  async #prune(run: ModelRun): Promise<void> {
    const { checkpoints } = await this.#engine();
    const [keep, records] = [this.#roll(6), this.#roll(2) === 0];
    const stays = new Set(this.#runs.flatMap(({ base }) => (base?.run === run ? [base.seq] : [])));
    const ordered = run.checkpoints.toSorted(newestFirst);
    const kept = ordered.filter(({ seq }, rank) => rank < Math.max(keep, 1) || stays.has(seq));
    const report = await checkpoints.prune(run.id, { keep, records });
    assert.equal(report.pruned, ordered.length - kept.length);
    run.checkpoints = kept;
    const lowest = Math.min(...kept.map(({ covers }) => covers));
    const canRise = Number.isFinite(lowest) && lowest > run.floor && lowest >= (run.base?.seq ?? 1);
    if (records && canRise) run.floor = lowest;
  }

  async #compare(run: ModelRun): Promise<void> {
    const { checkpoints, journal } = await this.#engine();
    const expected = seen(run).toSorted(newestFirst);
    const listed = await all(checkpoints.list(run.id, { states: true }));
    assert.deepEqual(
      listed.map(({ id, state }) => ({ id, state })),
      expected.map(({ id, state }) => ({ id, state })),
    );
    assert.deepEqual((await checkpoints.latest(run.id))?.state, expected[0]?.state);
    const some = this.#some(expected);
    if (some !== undefined) {
      const loaded = await checkpoints.load(some.id);
      assert.deepEqual(loaded?.state, some.state);
      // What was loaded is the caller's own.
      (loaded.state['log'] as unknown[]).push('mine');
      const after = await all(checkpoints.list(run.id, { states: true, limit: 2, before: some.id }));
      const at = expected.indexOf(some);
      assert.deepEqual(
        after.map(({ id }) => id),
        expected.slice(at + 1, at + 3).map(({ id }) => id),
      );
    }
    const [last] = await journal.tail(run.id, 1);
    assert.equal(last?.seq ?? 0, run.head > run.floor ? run.head : 0);
  }

  #change(state: Held): void {
    for (let changes = this.#roll(3); changes >= 0; changes -= 1) this.#changeOnce(state);
  }

  #changeOnce(state: Held): void {
    state.n = this.#count;
    const { log, notes, pages, names } = state;
    const name = `note-${this.#roll(4)}`;
    switch (this.#roll(12)) {
      case 0:
        log.push({ id: this.#count, text: this.#text() });
        return;
      case 1:
        // A window of the last messages.
        log.push({ id: this.#count, text: this.#text() });
        log.splice(0, 1 + this.#roll(3));
        return;
      case 2:
        log.splice(this.#roll(log.length + 1), 0, this.#text(), { id: this.#count });
        return;
      case 3:
        if (log.length > 0) log[this.#roll(log.length)] = { id: 'edited', text: this.#text() };
        return;
      case 4:
        notes[name] = { text: this.#text(), tags: ['new'] };
        return;
      case 5:
        notes[name]?.tags.push(`tag-${this.#count}`);
        return;
      case 6:
        delete notes[name];
        return;
      case 7:
        pages.set(this.#roll(2) === 0 ? name : this.#count, { text: this.#text() });
        return;
      case 8:
        for (const page of pages.values()) page.text += 'more';
        return;
      case 9:
        pages.delete(this.#some([...pages.keys()]) ?? name);
        return;
      case 10:
        if (!names.delete(name)) names.add(name);
        names.add(this.#text());
        return;
      default:
        state.gone = this.#roll(2) === 0 ? undefined : new Date(this.#count);
    }
  }

  #text(): string {
    this.#count += 1;
    // Long enough that states are stored whole now and then.
    return `${this.#count} `.padEnd(10 + this.#roll(1_500), 'abc');
  }

  #roll(sides: number): number {
    return Math.floor(this.#random() * sides);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#roll(items.length)] as T;
  }

  #some<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : this.#pick(items);
  }
}

function newRun(id: string, base: ModelRun['base']): ModelRun {
  return {
    id,
    head: 0,
    checkpoints: [],
    base,
    floor: 0,
    held: { n: 0, log: [], notes: {}, pages: new Map(), names: new Set() },
  };
}

/** All checkpoints that a run has, with those of the runs it was forked from. */
function seen(run: ModelRun): ModelCheckpoint[] {
  const found: ModelCheckpoint[] = [];
  let upTo = Number.POSITIVE_INFINITY;
  for (let at: ModelRun | undefined = run; at !== undefined; at = at.floor > 0 ? undefined : at.base?.run) {
    const limit = upTo;
    found.push(...at.checkpoints.filter(({ seq }) => seq <= limit));
    upTo = Math.min(upTo, at.base?.seq ?? 0);
  }
  return found;
}

function newestFirst(a: ModelCheckpoint, b: ModelCheckpoint): number {
  return b.covers - a.covers || b.seq - a.seq;
}

/** As it is stored: without what is undefined. */
function copied(state: State): State {
  const copy = structuredClone(state);
  for (const key of Object.keys(copy)) if (copy[key] === undefined) delete copy[key];
  return copy;
}
