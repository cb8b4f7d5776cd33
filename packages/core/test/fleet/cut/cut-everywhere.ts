import { type Engine, openEngine, type Store } from 'holdfast';
import { HoldfastError } from '../../../src/errors/holdfast-error.ts';
import type { Fate, Passing } from '../../../src/testing/postgres/proxy/proxied-connection.ts';
import type { PostgresProxy } from '../../../src/testing/postgres/proxy/proxy.ts';
import { isBackground } from '../proxied-store.ts';
import type { Operation } from './operation.ts';

/** Where the connection breaks: at the message with this number, counted in this direction. */
interface Cut {
  readonly direction: Passing['direction'];
  readonly fate: Exclude<Fate, 'pass' | 'drop'>;
  readonly at: number;
  /** Of a late statement: after how many further round trips it arrives. */
  readonly after: number;
}

/** What came of cutting one operation everywhere. */
export interface CutReport {
  readonly cuts: number;
  /** None is good. */
  readonly violations: readonly string[];
}

/** Behind a proxy, and directly for looking. */
interface Place {
  readonly store: Store;
  readonly proxy: PostgresProxy;
  readonly direct: Store;
}

/** The most messages, or round trips, of an operation. A list that does not end would be a mistake of the harness. */
const most = 200;

/** Cuts the operation at every boundary of a message, in both directions, and lets each of its statements come late. */
export async function cutEverywhere(operation: Operation, { store, proxy, direct }: Place): Promise<CutReport> {
  // So long that no run changes hands.
  const engine = await openEngine(store, { lease: '10m', log: 'silent' });
  const onlooker = await openEngine(direct, { executes: false });
  // A claim whose answer was lost is taken back, and then somebody has to look for work.
  engine.work();
  const bench = new CutBench({ operation, proxy, engine, onlooker });
  try {
    // Statements are prepared, which is a message less from then on.
    await bench.run({ direction: 'out', fate: 'cut-before', at: most, after: 0 });
    // After each that was sent, and before each that would come back: those are all boundaries.
    await bench.runAll({ direction: 'out', fate: 'cut-after' });
    await bench.runAll({ direction: 'back', fate: 'cut-before' });
    await bench.runLate();
    return { cuts: bench.cuts, violations: bench.violations };
  } finally {
    proxy.fateOf = () => 'pass';
    await engine.close();
    await onlooker.close();
  }
}

interface BenchParts {
  readonly operation: Operation;
  readonly proxy: PostgresProxy;
  readonly engine: Engine;
  readonly onlooker: Engine;
}

class CutBench {
  cuts = 0;
  readonly violations: string[] = [];
  readonly #parts: BenchParts;
  #runs = 0;

  constructor(parts: BenchParts) {
    this.#parts = parts;
  }

  /** Cuts at the first message, the second, … until there is no such message. */
  async runAll(cut: Pick<Cut, 'direction' | 'fate'>): Promise<void> {
    for (let at = 0; at < most; at += 1) {
      if (!(await this.run({ ...cut, at, after: 0 }))) return;
    }
    throw new Error(`${this.#parts.operation.name} has no end`);
  }

  /** Each statement of the operation arrives after one further round trip, after two, … until that is after the operation. */
  async runLate(): Promise<void> {
    for (let at = 0; at < most; at += 1) {
      for (let after = 0; ; after += 1) {
        const { isCut, arrived } = await this.#once({ direction: 'out', fate: 'late', at, after });
        if (!isCut) return;
        if (!arrived) break;
      }
    }
  }

  async run(cut: Cut): Promise<boolean> {
    return (await this.#once(cut)).isCut;
  }

  async #once(cut: Cut): Promise<{ readonly isCut: boolean; readonly arrived: boolean }> {
    const { operation, proxy, engine, onlooker } = this.#parts;
    this.#runs += 1;
    const id = `${operation.name}-${this.#runs}`;
    await operation.prepare(engine, id);
    const knife = new Knife(proxy, cut);
    const error = await operation.act(engine, id).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const arrived = knife.hasArrived;
    await knife.putAway();
    if (knife.isCut) this.cuts += 1;
    const count = await operation.count(onlooker, id);
    const where = `${operation.name}, ${cut.fate} message ${cut.at} ${cut.direction}, ${cut.after} later`;
    // The server is there: whatever was in doubt can be settled, and the operation goes through.
    if (error !== undefined) this.violations.push(`${where}: failed with ${describe(error)}`);
    if (count !== 1) this.violations.push(`${where}: happened ${count} times`);
    return { isCut: knife.isCut, arrived };
  }
}

/** Counts the messages of an operation, and cuts one. */
class Knife {
  isCut = false;
  /** What was held back has reached the server. */
  hasArrived = false;
  readonly #proxy: PostgresProxy;
  readonly #cut: Cut;
  #seen = 0;
  #tripsAfter = 0;
  #isParsed = false;
  #arriving: Promise<void> | undefined;

  constructor(proxy: PostgresProxy, cut: Cut) {
    this.#proxy = proxy;
    this.#cut = cut;
    proxy.fateOf = (passing) => this.#fateOf(passing);
  }

  /** From now on nothing is cut, and all that was held back has arrived. */
  async putAway(): Promise<void> {
    this.#proxy.fateOf = () => 'pass';
    await this.#arriving;
    await this.#proxy.arrive();
  }

  #fateOf({ direction, type, sql, isInTransaction }: Passing): Fate {
    if (isBackground(sql)) return 'pass';
    if (this.isCut) return this.#afterwards(type);
    const { fate } = this.#cut;
    if (direction !== this.#cut.direction) return 'pass';
    // A transaction whose next statement never comes would hold its locks, and everybody would wait for the test.
    if (fate === 'late' && (isInTransaction || !this.#begins(type))) return 'pass';
    const isHere = this.#seen === this.#cut.at;
    this.#seen += 1;
    if (!isHere) return 'pass';
    this.isCut = true;
    return fate;
  }

  /** Whether a statement begins here: with its text, or where it was prepared, with its values. */
  #begins(type: string): boolean {
    const isFirst = type === 'P' || (type === 'B' && !this.#isParsed);
    this.#isParsed = type === 'P';
    return isFirst;
  }

  /** Lets the late statement arrive after so many round trips of others. */
  #afterwards(type: string): Fate {
    if (this.#cut.fate !== 'late' || type !== 'Z' || this.#arriving !== undefined) return 'pass';
    if (this.#tripsAfter === this.#cut.after) {
      this.hasArrived = true;
      this.#arriving = this.#proxy.arrive();
    }
    this.#tripsAfter += 1;
    return 'pass';
  }
}

function describe(error: unknown): string {
  return HoldfastError.is(error) ? `${error.code}: ${error.message}` : String(error);
}
