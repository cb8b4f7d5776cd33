import type { Engine } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open.ts';
import { promote } from '../../src/engine/transfer/promote.ts';
import { nodeEnv } from '../../src/env/node-env.ts';
import { HoldfastError } from '../../src/errors/holdfast-error.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { defineStore, openDriver, type Store } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import type { Encryption } from '../../src/value/secret/encryption-key.ts';
import { graphs } from '../faults/moves/population.ts';
import { describeError, type Finding } from './finding.ts';
import { pick, type Random } from './hostile-json.ts';

/** How long reads that wait for a run may wait, and how long hostile runs are executed. */
const patienceMs = 8;
/** Executing all runs of a case for that long takes a few dozen calls; a loop makes thousands. */
const mostCalls = 600;
/** Longer lists are cut: a case has a few records. */
const mostItems = 500;

/** Why the fuzz stops waiting. */
const enough = new Error('enough');

/** Everything that an engine can be asked about the runs of a store, and at the end every run deleted. */
export async function useStore(store: Store, random: Random, encryption?: Encryption): Promise<readonly Finding[]> {
  const use = new StoreUse(store, random, encryption);
  await use.readAndExecute();
  await use.copyAll();
  await use.deleteAll();
  return use.findings;
}

class StoreUse {
  readonly findings: Finding[] = [];
  readonly #random: Random;
  readonly #encryption: Encryption | undefined;
  readonly #store: Store;
  #calls = 0;

  constructor(store: Store, random: Random, encryption: Encryption | undefined) {
    this.#random = random;
    this.#encryption = encryption;
    this.#store = defineStore(async (env, how) => this.#counted(await openDriver(store, env, how)));
  }

  async readAndExecute(): Promise<void> {
    await this.#withEngine(true, async (engine) => {
      const ids = await this.#ids(engine);
      await this.#must('verify', () => engine.verify());
      for (const id of ids) await this.#read(engine, id);
      await this.#may('asks', () => collect(engine.asks()));
      await this.#may('check', () => engine.check());
      await this.#execute(engine);
      for (const id of ids) await this.#write(engine, id);
      await this.#may('prune', () => engine.prune({ keep: 1 }));
    });
  }

  /** Copies the runs, or is refused. Whatever arrived can be looked at. */
  async copyAll(): Promise<void> {
    const copy = memoryStore();
    const options = this.#encryption === undefined ? {} : { encryption: this.#encryption };
    await this.#may('promote', () => promote(this.#store, copy, options));
    const engine = await this.#must('open the copy', () => openEngine(copy, { executes: false, ...options }));
    if (engine === undefined) return;
    await this.#ids(engine);
    await this.#must('verify the copy', () => engine.verify());
    await engine.close();
  }

  async deleteAll(): Promise<void> {
    const corrupt = (await this.#must('the list of runs', () => this.#corruptIds())) ?? [];
    await this.#withEngine(false, async (engine) => {
      await this.#deleteThose(engine, [...(await this.#ids(engine)), ...corrupt]);
      const left = await this.#ids(engine);
      if (left.length > 0) this.findings.push({ kind: 'unusable', what: `delete left ${left.join(', ')}` });
      await this.#must('verify afterwards', () => engine.verify());
    });
  }

  /** A base that is corrupt is kept while it has forks: then they go first. */
  async #deleteThose(engine: Engine, ids: readonly string[]): Promise<void> {
    const kept: string[] = [];
    for (const id of ids) if (!(await this.#isDeleted(engine, id))) kept.push(id);
    if (kept.length > 0 && kept.length < ids.length) return this.#deleteThose(engine, kept);
    for (const id of kept) await this.#must(`delete ${id}`, () => engine.delete(id));
  }

  /** Lists leave corrupt runs out: whoever looks after a store knows them from their warnings. */
  async #corruptIds(): Promise<readonly string[]> {
    const driver = await openDriver(this.#store, nodeEnv);
    const { corrupt } = await driver.runs({ order: 'oldest', limit: mostItems });
    await driver.close();
    return corrupt.flatMap(({ details }) => (typeof details['runId'] === 'string' ? [details['runId']] : []));
  }

  async #isDeleted(engine: Engine, id: string): Promise<boolean> {
    try {
      await engine.delete(id);
      return true;
    } catch (error) {
      if (!HoldfastError.is(error))
        this.findings.push({ kind: 'untyped', what: `delete ${id}: ${describeError(error)}` });
      return false;
    }
  }

  async #withEngine(executes: boolean, call: (engine: Engine) => Promise<void>): Promise<void> {
    const options = {
      graphs,
      executes,
      lease: '1m',
      ...(this.#encryption && { encryption: this.#encryption }),
    } as const;
    const engine = await this.#must('open', () => openEngine(this.#store, options));
    if (engine === undefined) return;
    await call(engine);
    await this.#must('close', () => engine.close());
  }

  async #ids(engine: Engine): Promise<readonly string[]> {
    return ((await this.#must('runs', () => collect(engine.runs()))) ?? []).map(({ id }) => id);
  }

  async #read(engine: Engine, id: string): Promise<void> {
    await this.#may(`read ${id}`, () => collect(engine.journal.read(id)));
    await this.#may(`checkpoints ${id}`, () => collect(engine.checkpoints.list(id)));
    await this.#may(`latest ${id}`, () => engine.checkpoints.latest(id));
    await this.#may(`export ${id}`, () => collect(engine.export(id)));
    const run = await this.#may(`get ${id}`, () => engine.get(id));
    if (run === undefined) return;
    await this.#may(`summary ${id}`, () => run.summary());
    await this.#may(`state ${id}`, () => run.state());
    const history = (await this.#may(`history ${id}`, () => collect(run.history()))) ?? [];
    await this.#may(`outcome ${id}`, () => run.outcome({ signal: soon() }));
    await this.#may(`events ${id}`, () => collect(run.events({ until: 'idle', signal: soon() })));
    if (history.length < 2) return;
    const [from, to] = [pick(this.#random, history).id, pick(this.#random, history).id];
    await this.#may(`diff ${id}`, () => run.diff(from, to));
  }

  /** Lets the worker have the runs for a moment. */
  async #execute(engine: Engine): Promise<void> {
    const before = this.#calls;
    await this.#may('recover', () => engine.recover());
    await pause();
    const calls = this.#calls - before;
    if (calls > mostCalls) this.findings.push({ kind: 'spins', what: `recover made ${calls} calls of the store` });
  }

  /** Two of the things that change a run. */
  async #write(engine: Engine, id: string): Promise<void> {
    const run = await this.#may(`get ${id}`, () => engine.get(id));
    if (run === undefined) return;
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      answer: () => run.answer('ok', true),
      cancel: () => run.cancel('fuzz'),
      resume: () => run.resume(),
      fork: () => run.fork(),
      settle: () => run.settle('key', 'retry'),
      send: () => run.send('go', 1),
      result: () => run.result({ signal: soon() }),
      append: () => engine.journal.append(id, { payload: 1 }),
      save: () => engine.checkpoints.save(id, { state: { a: 1 } }),
      load: () => engine.checkpoints.load(`${id}@${1 + Math.floor(this.#random() * 8)}`),
      forkLoop: () => engine.checkpoints.fork(`${id}@${1 + Math.floor(this.#random() * 8)}`),
      stateAt: () => run.state(`${id}@${Math.floor(this.#random() * 8)}`),
      forkAt: () => run.fork({ at: `${id}@${1 + Math.floor(this.#random() * 8)}`, resume: true }),
      prune: () => engine.prune({ runId: id, keep: 1 }),
    };
    for (let count = 0; count < 2; count += 1) {
      const what = pick(this.#random, Object.keys(changes));
      await this.#may(`${what} ${id}`, changes[what] as () => Promise<unknown>);
    }
  }

  /** What may be refused, by a typed error. */
  async #may<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (error !== enough && !HoldfastError.is(error))
        this.findings.push({ kind: 'untyped', what: `${what}: ${describeError(error)}` });
      return undefined;
    }
  }

  /** What has to work on any store. */
  async #must<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      this.findings.push({ kind: 'unusable', what: `${what}: ${describeError(error)}` });
      return undefined;
    }
  }

  #counted(driver: StoreDriver): StoreDriver {
    const counted = <A extends readonly unknown[], R>(call: (...args: A) => R): ((...args: A) => R) => {
      return (...args) => {
        this.#calls += 1;
        return call(...args);
      };
    };
    return withCalls(driver, {
      commit: counted((batches) => driver.commit(batches)),
      load: counted((query) => driver.load(query)),
      records: counted((query) => driver.records(query)),
      runs: counted((query) => driver.runs(query)),
      claim: counted((request) => driver.claim(request)),
    });
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) if (found.push(item) === mostItems) break;
  return found;
}

/** A signal that soon says that it is enough. */
function soon(): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort(enough), patienceMs).unref();
  return stop.signal;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, patienceMs);
  });
}
