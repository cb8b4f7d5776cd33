import type {
  Batch,
  BatchResult,
  DoubtResult,
  StoredId,
  StoredRecord,
  StoredSnapshot,
} from '../../src/store/contract/commit.ts';
import type { Capabilities, HintListener, StoreDriver } from '../../src/store/contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../../src/store/contract/lease.ts';
import type {
  IdQuery,
  LoadQuery,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from '../../src/store/contract/read.ts';
import type { TrimPlan, TrimResult } from '../../src/store/contract/retention.ts';
import { storeFault } from '../../src/store/store-fault.ts';
import type { FaultKind } from './fault-kind.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { LateCommits } from './late-commits.ts';
import type { Ledger } from './ledger.ts';
import type { SimProcess } from './sim-process.ts';
import type { Stats } from './stats.ts';
import { network, type Owner, type World } from './world.ts';

interface SimDriverOptions {
  readonly world: World;
  readonly process: SimProcess;
  readonly inside: StoreDriver;
  readonly plan: FaultPlan;
  readonly ledger: Ledger;
  readonly late: LateCommits;
  readonly stats: Stats;
  /** Only on files: the power fails soon. A dead process has no request in flight to its files. */
  readonly cutPower: (() => void) | undefined;
}

/** Longer than any answer takes. */
const longestMs = 3;
/** Hints are never relied on, and so they may get lost. */
const lostHints = 0.4;

/** A driver as a process sees it from afar: everything takes time, and whatever the plan says goes wrong. */
export class SimDriver implements StoreDriver {
  readonly capabilities: Capabilities;
  readonly #options: SimDriverOptions;

  constructor(options: SimDriverOptions) {
    this.#options = options;
    this.capabilities = options.inside.capabilities;
  }

  async commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    const { world, process, plan, late } = this.#options;
    const fault = plan.onCommit(process);
    for (const batch of batches) this.#options.ledger.asked(process, batch);
    if (fault === 'pause') process.pause(plan.pauseMs());
    if (fault === 'jump') process.skewMs += plan.jumpMs();
    const isOwn = fault === 'pause' || world.chance(0.5);
    await this.#travel(isOwn ? process : network);
    if (fault === 'crash-before') {
      process.die();
      return never();
    }
    if (plan.isOut(process)) {
      // Whoever is to die dies, whether or not the store hears of it.
      if (fault !== 'crash-after') return this.#fail('outage');
      process.die();
      return never();
    }
    if (fault === 'late-commit') late.add(() => this.#commit(batches, true));
    if (fault === 'late-commit' || fault === 'lost-request' || fault === 'failed-request') return this.#fail(fault);
    if (fault === 'power-cut') this.#options.cutPower?.();
    const results = await this.#commit(batches);
    if (fault === 'duplicate') late.add(() => this.#commit(batches, true));
    if (fault === 'crash-after') process.die();
    if (fault === 'lost-answer') return this.#fail(fault);
    await this.#travel(process);
    batches.forEach((batch, at) => results[at]?.ok && this.#options.ledger.acknowledge(batch));
    return results;
  }

  async resolveDoubt(batch: Batch): Promise<DoubtResult> {
    const { plan, process, inside, ledger } = this.#options;
    const fault = plan.onDoubt(process);
    await this.#travel(process);
    if (plan.isOut(process)) return this.#fail('outage');
    if (fault === 'before') return this.#fail('failed-doubt');
    const result = await inside.resolveDoubt(batch);
    ledger.resolved(batch, result);
    this.#options.world.trace.add(`doubt ${batch.runId} ${batch.expect} ${result.outcome}`);
    if (fault === 'after') return this.#fail('failed-doubt');
    await this.#travel(process);
    if (result.outcome === 'committed') ledger.acknowledge(batch);
    return result;
  }

  load(query: LoadQuery): Promise<StoredRun | undefined> {
    return this.#read(() => this.#options.inside.load(query));
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return this.#read(() => this.#options.inside.records(query));
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return this.#read(() => this.#options.inside.snapshots(query));
  }

  ids(query: IdQuery): Promise<readonly StoredId[]> {
    return this.#read(() => this.#options.inside.ids(query));
  }

  runs(query: RunsQuery): Promise<RunsPage> {
    return this.#read(() => this.#options.inside.runs(query));
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const { plan, process, inside, ledger, stats } = this.#options;
    const fault = plan.onClaim(process);
    const asker = { name: process.name, outUntilMs: process.outUntilMs, skewMs: process.skewMs };
    await this.#travel(process);
    if (process.isDead) return never();
    if (plan.isOut(process)) return this.#fail('outage');
    if (fault === 'failed-claim') return this.#fail(fault);
    const result = await inside.claim(request);
    for (const { header } of result.claimed) {
      if (ledger.holder(header.runId) !== null) stats.takeovers += 1;
    }
    ledger.claimed(asker, request, result);
    this.#options.world.trace.add(`claim ${request.type} ${result.claimed.length}`);
    if (fault === 'lost-claim') return this.#fail(fault);
    await this.#travel(process);
    ledger.told(result);
    return result;
  }

  trim(plan: TrimPlan): Promise<TrimResult> {
    return this.#read(() => this.#options.inside.trim(plan));
  }

  watch(listener: HintListener): () => void {
    const { world, process, inside, plan } = this.#options;
    return inside.watch((hint) => {
      if (process.isDead || world.chance(lostHints) || plan.isOut(process)) return;
      world.after(process, world.random() * longestMs, () => listener(hint));
    });
  }

  close(): Promise<void> {
    return this.#options.inside.close();
  }

  async #read<T>(inside: () => Promise<T>): Promise<T> {
    const { plan, process } = this.#options;
    const fault = plan.onRead(process);
    await this.#travel(process);
    if (plan.isOut(process)) return this.#fail('outage');
    if (fault) return this.#fail('failed-read');
    return inside();
  }

  /** A group arrives at the store. */
  async #commit(batches: readonly Batch[], isLate = false): Promise<readonly BatchResult[]> {
    const { world, process, ledger, stats, inside } = this.#options;
    const results = await inside.commit(batches);
    // The power failed meanwhile: what of it is on the disk is read when the next process opens it.
    if (this.#options.cutPower !== undefined && process.isDead) return never();
    batches.forEach((batch, at) => {
      const result = results[at];
      if (result === undefined) return;
      world.trace.add(`${process.name} ${batch.runId} ${batch.expect} ${batch.records.length} ${result.ok}`);
      if (result.ok) {
        stats.commits += 1;
        ledger.committed(batch, isLate);
      } else {
        if (result.why === 'fence') stats.refusedStale += 1;
        if (result.why === 'epoch') stats.refusedLate += 1;
        ledger.refused(batch);
      }
    });
    return results;
  }

  /** The answer is on its way for a moment, whatever it is. */
  async #fail(kind: FaultKind): Promise<never> {
    const { plan, process } = this.#options;
    await this.#travel(process);
    if (kind === 'outage') process.outUntilMs = plan.outUntilMs;
    const cause = new Error(`injected: ${kind}`);
    const transient = plan.isTransient(kind, process);
    if (kind !== 'failed-request' && !transient) throw cause;
    throw storeFault({ effect: kind === 'failed-request' ? 'none' : 'unknown', transient, cause });
  }

  #travel(owner: Owner): Promise<void> {
    const { world } = this.#options;
    return new Promise((resolve) => world.after(owner, 0.05 + world.random() * longestMs, resolve));
  }
}

/** Nobody hears the answer. */
function never<T>(): Promise<T> {
  return new Promise(() => {});
}
