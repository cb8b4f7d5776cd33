import assert from 'node:assert/strict';
import { type Change, type Checkpoint, type Engine, type ErrorCode, HoldfastError } from 'holdfast';
import { all, memoryPlace, type Place } from '../every-place.ts';
import { exported, inPieces } from '../exported.ts';
import { applyChanges } from './apply-changes.ts';
import { arrive, fileOf, filesWithout, type ModelFile } from './reference-files.ts';
import { type ModelCheckpoint, type ModelRun, ReferenceRuns, seqOf, type TapeState } from './reference-runs.ts';
import { afterInput, inputOf, stepsFrom, tape } from './tape.ts';

/** What a sequence can do; the numbers choose among what is there. */
export const operations = [
  'start',
  'turn',
  'turn',
  'repeat',
  'repeat',
  'fork',
  'fork',
  'edit',
  'continue',
  'all at once',
  'prune',
  'prune',
  'delete',
  'delete',
  'diff',
  'look',
  'reopen',
  'export',
  'export',
  'import',
  'import',
  'move',
] as const;

/** One operation and the numbers that it chooses by. */
export type Operation = readonly [what: (typeof operations)[number], which: number, where: number];

/** A sequence of operations, done to an engine and to the model alike. */
export class Sequence {
  readonly #place: Place;
  readonly #model = new ReferenceRuns();
  #engine: Engine;
  #files: readonly ModelFile[] = [];
  #count = 0;

  private constructor(place: Place, engine: Engine) {
    this.#place = place;
    this.#engine = engine;
  }

  /** Does them all, and compares everything in the end. */
  static async play(place: Place, todo: readonly Operation[]): Promise<void> {
    const sequence = new Sequence(place, await place.open());
    await sequence.#start();
    for (const [what, which, where] of todo) await sequence.#do(what, which, where);
    for (const run of sequence.#model.living) await sequence.#compare(run);
    assert.deepEqual((await sequence.#engine.verify()).corruption, []);
    await sequence.#engine.close();
  }

  async #do(what: Operation[0], which: number, where: number): Promise<void> {
    const { living } = this.#model;
    const run = living[which % Math.max(1, living.length)];
    if (what === 'start' || run === undefined) return this.#start();
    const at = run.history[where % run.history.length] as ModelCheckpoint;
    switch (what) {
      case 'turn':
        return this.#turn(run);
      case 'repeat':
        return this.#repeat(run, where);
      case 'fork':
        return this.#fork(run, where % 3 === 0 ? undefined : at);
      case 'edit':
        return this.#fork(run, at, { note: `edited ${where}`, items: [where] });
      case 'continue':
        return this.#goOn(run);
      case 'all at once':
        return void (await Promise.all(living.map((each) => this.#turn(each))));
      case 'prune':
        return this.#prune(run, where % 4);
      case 'delete':
        return this.#delete(run);
      case 'diff':
        return this.#diff(at, this.#anyCheckpoint(which, where));
      case 'look':
        return this.#look(run, at);
      case 'export':
        return void (await this.#export(run));
      case 'import':
        return this.#import(run, which, where);
      case 'move':
        return this.#move(await this.#export(run));
      case 'reopen':
        await this.#engine.close();
        this.#engine = await this.#place.open();
    }
  }

  async #start(): Promise<void> {
    this.#count += 1;
    const [id, value] = [`run-${this.#count}`, this.#count];
    const handle = await this.#engine.start(tape, inputOf(value), { id });
    await handle.result();
    const run = this.#model.add({ id, history: [], forkedAt: undefined, hasEnded: true });
    const state = afterInput({ items: [], page: {}, note: undefined }, value);
    await this.#append(run, [{ state, next: ['a'] }, ...stepsFrom(state, ['a'])]);
  }

  /** Whatever is left to do is done before a turn begins. */
  async #turn(run: ModelRun): Promise<void> {
    await this.#goOn(run);
    this.#count += 1;
    const value = this.#count;
    const handle = await this.#engine.start(tape, inputOf(value), { id: run.id, turn: `t${value}` });
    await handle.result();
    run.turns = [...run.turns, { value, seq: Number(handle.cursor) + 1 }];
    const state = afterInput(latest(run).state, value);
    await this.#append(run, [{ state, next: ['a'] }, ...stepsFrom(state, ['a'])]);
  }

  /** A turn that the run has had changes nothing, however long ago it was pruned; with another input it is refused. */
  async #repeat(run: ModelRun, where: number): Promise<void> {
    const turn = run.turns[where % Math.max(1, run.turns.length)];
    if (turn === undefined) return this.#turn(run);
    await this.#goOn(run);
    const options = { id: run.id, turn: `t${turn.value}` };
    const handle = await this.#engine.start(tape, inputOf(turn.value), options);
    assert.equal(Number(handle.cursor) + 1, turn.seq);
    await handle.result();
    await this.#compare(run);
    await this.#refused(this.#engine.start(tape, inputOf(turn.value + 1), options), 'HOLDFAST_INPUT_MISMATCH');
  }

  async #goOn(run: ModelRun): Promise<void> {
    const handle = await this.#engine.get(tape, run.id);
    if (!run.hasEnded) {
      assert.equal((await handle.outcome()).status, 'suspended');
      await handle.resume();
    }
    await handle.result();
    if (run.hasEnded) return;
    run.hasEnded = true;
    const { state, next } = latest(run);
    await this.#append(run, next.length === 0 ? [] : stepsFrom(state, next));
  }

  /** New checkpoints are the newest ones of the history; how they are called is up to the store. */
  async #append(run: ModelRun, added: readonly Omit<ModelCheckpoint, 'id'>[]): Promise<void> {
    const handle = await this.#engine.get(tape, run.id);
    const found = (await all(handle.history({ limit: added.length }))).toReversed();
    assert.deepEqual(found.map(seen), added);
    run.history = [...run.history, ...added.map((each, at) => ({ ...each, id: found[at]?.id ?? '' }))];
  }

  async #fork(run: ModelRun, at: ModelCheckpoint | undefined, set?: Partial<TapeState>): Promise<void> {
    const handle = await this.#engine.get(tape, run.id);
    this.#count += 1;
    const id = `fork-${this.#count}`;
    const forking = handle.fork({ id, at: at?.id, ...(set !== undefined && { set }) });
    await forking;
    const [holder, seq] = ((await (await this.#engine.get(id)).summary()).forkedAt ?? '').split('@');
    const below = run.history.filter((each) => seqOf(each.id) <= Number(seq));
    const { state, next, isEnd = false } = below.at(-1) as ModelCheckpoint;
    const hasEnded = at === undefined ? run.hasEnded : isEnd;
    const fork = this.#model.add({
      id,
      history: below,
      forkedAt: { runId: holder ?? '', seq: Number(seq) },
      hasEnded,
      turns: run.turns.filter((turn) => turn.seq <= Number(seq)),
    });
    await this.#append(fork, [{ state: { ...state, ...set }, next }]);
    fork.history = fork.history.map((each) => (each === latest(fork) ? { ...each, isEnd: hasEnded } : each));
  }

  async #prune(run: ModelRun, keep: number): Promise<void> {
    const dry = await this.#engine.prune({ runId: run.id, keep, dryRun: true });
    const expected = this.#model.prune(run, keep);
    const report = await this.#engine.prune({ runId: run.id, keep });
    const { pruned, retained } = report;
    assert.deepEqual({ pruned, retained }, expected);
    assert.deepEqual(report, dry);
  }

  async #delete(run: ModelRun): Promise<void> {
    const head = await this.#headOf(run);
    assert.equal(await this.#engine.delete(run.id), true);
    this.#model.delete(run, head);
    assert.equal(await this.#engine.delete(run.id), false);
    await this.#refused(this.#engine.get(run.id));
  }

  async #refused(call: Promise<unknown>, code: ErrorCode = 'HOLDFAST_NOT_FOUND'): Promise<void> {
    const refusal = await call.catch((error: unknown) => error);
    assert.ok(HoldfastError.is(refusal, code), String(refusal));
  }

  async #headOf({ id }: ModelRun): Promise<number> {
    return (await (await this.#engine.get(id)).summary()).head;
  }

  async #export(run: ModelRun): Promise<ModelFile> {
    const bytes = await exported(this.#engine.export(run.id));
    const file = fileOf(this.#model, run, { bytes, head: await this.#headOf(run) });
    this.#files = [...this.#files, file];
    return file;
  }

  /** Under the id that it had, which may be there, deleted or in use by what it became; or under a new one. */
  async #import(any: ModelRun, which: number, where: number): Promise<void> {
    const file = this.#fileToImport(which) ?? (await this.#export(any));
    this.#count += 1;
    const id = where % 2 === 0 ? file.root.id : `import-${this.#count}`;
    const there = this.#model.living.find((run) => run.id === id);
    if (there !== undefined) there.head = await this.#headOf(there);
    const arrived = arrive(this.#model, file, id);
    const source = where % 3 === 0 ? inPieces(file.bytes) : file.bytes;
    const importing = this.#engine.import(source, id === file.root.id ? {} : { id });
    if (arrived === undefined) return this.#refused(importing, 'HOLDFAST_ID_TAKEN');
    const { run, imported } = arrived;
    const runs = file.bases.length + 1;
    assert.deepEqual(await importing, { runId: id, runs, imported, redacted: false });
    if (imported > 0) this.#files = filesWithout(this.#files, run);
    await this.#compare(run);
  }

  /** Rather one of a run that was deleted, or of one that stands on such a run: most others are there. */
  #fileToImport(which: number): ModelFile | undefined {
    const isLiving = ({ id }: { readonly id: string }): boolean => this.#model.living.some((run) => run.id === id);
    const lost = this.#files.filter(({ root, bases }) => ![root, ...bases].every(isLiving));
    const files = lost.length > 0 && which % 4 !== 0 ? lost : this.#files;
    return files[which % Math.max(1, files.length)];
  }

  /** In a store of its own, a run is what it was. */
  async #move({ bytes, root, history }: ModelFile): Promise<void> {
    const elsewhere = await memoryPlace().open();
    await elsewhere.import(bytes);
    const moved = await all((await elsewhere.get(tape, root.id)).history());
    assert.deepEqual(moved.map(named), history.map(named).toReversed());
    assert.deepEqual((await elsewhere.verify()).corruption, []);
    await elsewhere.close();
  }

  #anyCheckpoint(which: number, where: number): ModelCheckpoint {
    const { living } = this.#model;
    const { history } = living[(which + where) % living.length] as ModelRun;
    return history[(which * 7 + where) % history.length] as ModelCheckpoint;
  }

  /** A diff turns the one state into the other, whichever runs they are of. */
  async #diff(from: ModelCheckpoint, to: ModelCheckpoint): Promise<void> {
    const any = await this.#engine.get(tape, this.#model.living[0]?.id ?? '');
    const changes: readonly Change[] = await any.diff(this.#readable(from), this.#readable(to));
    assert.deepEqual(withoutNothing(applyChanges(from.state, changes)), withoutNothing(to.state));
  }

  /** A checkpoint of a deleted run is read through one that stands on it. */
  #readable({ id }: ModelCheckpoint): string {
    const holder = this.#model.living.find(({ history }) => history.some((each) => each.id === id));
    const isOwn = this.#model.living.some((run) => id.startsWith(`${run.id}@`));
    return isOwn ? id : `${holder?.id}@${seqOf(id)}`;
  }

  async #look(run: ModelRun, at: ModelCheckpoint): Promise<void> {
    const handle = await this.#engine.get(tape, run.id);
    assert.deepEqual(seen(await handle.checkpoint(at.id)), seen(at));
    const page = await all(handle.history({ limit: 3, before: at.id }));
    const below = run.history.slice(0, run.history.indexOf(at)).toReversed().slice(0, 3);
    assert.deepEqual(page.map(named), below.map(named));
  }

  async #compare(run: ModelRun): Promise<void> {
    const history = await all((await this.#engine.get(tape, run.id)).history());
    assert.deepEqual(history.map(named), run.history.map(named).toReversed());
  }
}

function latest({ history }: ModelRun): ModelCheckpoint {
  return history.at(-1) as ModelCheckpoint;
}

type Seen = Pick<Checkpoint<object>, 'id' | 'state' | 'next'>;

function named(checkpoint: Seen): ModelCheckpoint {
  return { id: checkpoint.id, ...seen(checkpoint) };
}

function seen({ state, next }: Pick<Seen, 'state' | 'next'>): Omit<ModelCheckpoint, 'id'> {
  const { items, page, note } = state as TapeState;
  return { state: { items: [...items], page: { ...page }, note }, next: [...next] };
}

/** A channel without a value is not told from one that is not there. */
function withoutNothing(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).filter(([, each]) => each !== undefined));
}
