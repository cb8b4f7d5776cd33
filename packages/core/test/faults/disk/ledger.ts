import { nodeEnv } from '../../../src/env/node-env.ts';
import type { Batch, BatchResult } from '../../../src/store/contract/commit.ts';
import type { ClaimRequest, ClaimResult } from '../../../src/store/contract/lease.ts';
import type { TrimPlan, TrimResult } from '../../../src/store/contract/retention.ts';
import { MemoryDriver } from '../../../src/store/memory/driver.ts';
import { MemoryPlace } from '../../../src/store/memory/memory-place.ts';
import type { MemoryRun } from '../../../src/store/memory/memory-run.ts';
import { dumpRun } from './dump-run.ts';

/** Something that a driver was asked to change, and when. */
export type Asked = { readonly nowMs: number } & (
  | { readonly type: 'batch'; readonly batch: Batch }
  | { readonly type: 'claim'; readonly request: ClaimRequest }
  | { readonly type: 'trim'; readonly plan: TrimPlan }
);

/** What a driver has to answer. */
export type Answer = BatchResult | ClaimResult | TrimResult;

/** A question that has no answer yet, and the runs that it changes. */
export interface InFlight {
  readonly asked: Asked;
  readonly runs: readonly string[];
}

/** How a run may be found: as its dump, or undefined for absent. */
type Versions = readonly (string | undefined)[];

/** What a ledger says at one moment. */
export interface LedgerNote {
  readonly log: readonly Asked[];
  readonly versions: ReadonlyMap<string, Versions>;
  readonly inFlight: ReadonlySet<InFlight>;
}

/** The reference driver, at whatever time it is told. */
class Reference {
  readonly disk = new MemoryPlace();
  readonly #time = { nowMs: 0 };
  readonly driver = new MemoryDriver(this.disk, {
    ...nodeEnv,
    clock: { ...nodeEnv.clock, now: () => this.#time.nowMs },
    monotonicMs: () => 0,
  });

  async answer(asked: Asked): Promise<Answer> {
    this.#time.nowMs = asked.nowMs;
    if (asked.type === 'claim') return this.driver.claim(asked.request);
    if (asked.type === 'trim') return this.driver.trim(asked.plan);
    const [result] = await this.driver.commit([asked.batch]);
    return result ?? { ok: true };
  }
}

/**
 * What a store has acknowledged and what it was asked since, kept by the reference driver: at every moment it says how
 * each run may be found after a crash. At most one question about a run is in flight.
 */
export class Ledger {
  #log: Asked[] = [];
  /** Made when it is first needed: most ledgers are only compared with what was found. */
  #reference: Reference | undefined;
  #versions = new Map<string, Versions>();
  #inFlight = new Set<InFlight>();
  /** Grows whenever something else may be found. */
  revision = 0;

  /** The runs as they will be when all that is in flight has succeeded: what to ask for next is chosen by it. */
  async runs(): Promise<ReadonlyMap<string, MemoryRun>> {
    return (await this.#upToDate()).disk.runs;
  }

  /** The question whether this batch can be committed, while it has no answer. */
  inFlightOf({ token }: Batch): InFlight | undefined {
    return [...this.#inFlight].find(({ asked }) => asked.type === 'batch' && asked.batch.token === token);
  }

  /** How many questions were answered. */
  get acknowledged(): number {
    return this.#log.length - this.#inFlight.size;
  }

  /** Writes down what a driver is about to be asked; until that is settled a run may be found as before or after it. */
  async ask(asked: Asked): Promise<{ readonly expected: Answer; readonly inFlight: InFlight }> {
    this.revision += 1;
    const reference = await this.#upToDate();
    const touched = touchedBy(asked, reference.disk.runs);
    this.#log.push(asked);
    const expected = await reference.answer(asked);
    const claimed = 'claimed' in expected ? expected.claimed.map(({ header }) => header.runId) : [];
    const inFlight = { asked, runs: [...touched, ...claimed] };
    this.#inFlight.add(inFlight);
    for (const runId of inFlight.runs) {
      const before = this.#versionsOf(runId);
      if (before.length > 1) throw new Error(`Two questions about run ${runId} are in flight: the workload is wrong.`);
      this.#versions.set(runId, [...before, await dumpRun(reference.driver, runId)]);
    }
    return { expected, inFlight };
  }

  /** It was acknowledged: it must be there from now on. */
  acknowledge(inFlight: InFlight): void {
    this.revision += 1;
    this.#inFlight.delete(inFlight);
    for (const runId of inFlight.runs) this.#versions.set(runId, this.#versionsOf(runId).slice(-1));
  }

  /** It failed without any effect: it must not be there from now on. */
  withdraw(inFlight: InFlight): void {
    this.revision += 1;
    this.#inFlight.delete(inFlight);
    for (const runId of inFlight.runs) this.#versions.set(runId, this.#versionsOf(runId).slice(0, 1));
    this.#replace(inFlight.asked, []);
  }

  /** The runs that were found as they may not be. */
  wrongIn(found: ReadonlyMap<string, string>): readonly string[] {
    const names = new Set([...found.keys(), ...this.#versions.keys()]);
    return [...names].filter((runId) => !this.#versionsOf(runId).includes(found.get(runId)));
  }

  /** Takes what was found as the truth from now on: what was seen once must not go away again. */
  settle(found: ReadonlyMap<string, string>): void {
    if (this.#inFlight.size === 0) return;
    this.revision += 1;
    for (const { asked, runs } of this.#inFlight) {
      const done = runs.filter((runId) => this.#versionsOf(runId).at(-1) === found.get(runId));
      if (done.length < runs.length) this.#replace(asked, asked.type === 'claim' ? partsOf(asked, done) : []);
    }
    this.#inFlight.clear();
    for (const runId of this.#versions.keys()) this.#versions.set(runId, [found.get(runId)]);
  }

  /** What each run may be found as, for a report. */
  versions(runId: string): Versions {
    return this.#versionsOf(runId);
  }

  note(): LedgerNote {
    return { log: [...this.#log], versions: new Map(this.#versions), inFlight: new Set(this.#inFlight) };
  }

  /** A ledger that says what another one said. */
  static at({ log, versions, inFlight }: LedgerNote): Ledger {
    const ledger = new Ledger();
    ledger.#log = [...log];
    ledger.#versions = new Map(versions);
    ledger.#inFlight = new Set(inFlight);
    return ledger;
  }

  #versionsOf(runId: string): Versions {
    return this.#versions.get(runId) ?? [undefined];
  }

  /** The reference cannot undo: it is made anew from all that stays. */
  #replace(asked: Asked, by: readonly Asked[]): void {
    this.#log = this.#log.flatMap((each) => (each === asked ? by : [each]));
    this.#reference = undefined;
  }

  async #upToDate(): Promise<Reference> {
    if (this.#reference !== undefined) return this.#reference;
    const reference = new Reference();
    for (const each of this.#log) await reference.answer(each);
    this.#reference = reference;
    return reference;
  }
}

/** A claim or a release is atomic for each of its runs, not for all of them: what it did to some, as questions of their own. */
function partsOf({ nowMs, request }: Asked & { readonly type: 'claim' }, runs: readonly string[]): readonly Asked[] {
  const { worker } = request;
  if (request.type === 'release') return [{ type: 'claim', nowMs, request: { type: 'release', worker, runIds: runs } }];
  const leaseMs = 'leaseMs' in request ? request.leaseMs : 1;
  return runs.map((runId) => ({
    type: 'claim',
    nowMs,
    request: { type: 'one', worker, leaseMs, runId, ifDue: false },
  }));
}

function touchedBy(asked: Asked, runs: ReadonlyMap<string, MemoryRun>): readonly string[] {
  if (asked.type === 'batch') return [asked.batch.runId];
  if (asked.type === 'trim') return [asked.plan.runId];
  const { request } = asked;
  if (request.type !== 'release') return [];
  const leased = [...runs.values()].filter(({ worker }) => worker === request.worker);
  return leased.map(({ runId }) => runId).filter((runId) => request.runIds?.includes(runId) ?? true);
}
