import type { Batch, BatchResult, StoredRecord, StoredSnapshot } from '../../src/store/contract/commit.ts';
import type { Capabilities, StoreDriver } from '../../src/store/contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../../src/store/contract/lease.ts';
import type { RecordQuery, RunsQuery, SnapshotQuery } from '../../src/store/contract/read.ts';
import type { TrimPlan, TrimResult } from '../../src/store/contract/retention.ts';
import type { RunHeader } from '../../src/store/contract/run.ts';
import { storeFault } from '../../src/store/store-fault.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Ledger } from './ledger.ts';
import type { SimProcess } from './sim-process.ts';
import type { Stats } from './stats.ts';
import type { Owner, World } from './world.ts';

interface SimDriverOptions {
  readonly world: World;
  readonly process: SimProcess;
  readonly inside: StoreDriver;
  readonly plan: FaultPlan;
  readonly ledger: Ledger;
  readonly stats: Stats;
  /** Only on files: the power fails soon. Whoever has files has no request in flight when it is dead. */
  readonly cutPower: (() => void) | undefined;
}

/** The way to the store: requests that a process has sent go on without it. */
const network: Owner = { name: 'net', isDead: false, pausedUntilMs: 0 };

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
    const { world, process, plan, stats, inside } = this.#options;
    const fault = plan.onCommit(process);
    if (fault === 'pause') process.pause(plan.pauseMs());
    if (fault === 'jump') process.skewMs += plan.jumpMs();
    const isOwn = fault === 'pause' || world.chance(0.5);
    await this.#travel(isOwn ? process : network);
    if (fault === 'crash-before') {
      process.die();
      return new Promise(() => {});
    }
    if (fault === 'lost-request') return this.#fail(new Error('injected: lost request'));
    if (fault === 'failed-request') return this.#fail(storeFault({ effect: 'none', cause: new Error('injected') }));
    const { cutPower } = this.#options;
    if (fault === 'power-cut') cutPower?.();
    const results = await inside.commit(batches);
    if (cutPower !== undefined && process.isDead) return new Promise(() => {});
    this.#note(batches, results);
    if (fault === 'duplicate') {
      world.after(
        network,
        1 + world.random() * 50,
        () =>
          void Promise.resolve(inside.commit(batches)).then((again) => {
            if (again.some(({ ok }) => ok)) stats.violations.push('a commit was made twice');
          }),
      );
    }
    if (fault === 'crash-after') process.die();
    if (fault === 'lost-answer') return this.#fail(new Error('injected: lost answer'));
    await this.#travel(process);
    batches.forEach((batch, at) => results[at]?.ok && this.#options.ledger.acknowledge(batch));
    return results;
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return this.#read(() => this.#options.inside.records(query));
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return this.#read(() => this.#options.inside.snapshots(query));
  }

  runs(query: RunsQuery): Promise<readonly RunHeader[]> {
    return this.#read(() => this.#options.inside.runs(query));
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const { plan, process, inside, ledger, stats } = this.#options;
    const fault = plan.onClaim(process, request);
    await this.#travel(process);
    if (process.isDead) return new Promise(() => {});
    const result = await inside.claim(request);
    for (const { runId } of result.claimed) {
      const before = ledger.holder(runId);
      if (before !== null) stats.takeovers += 1;
    }
    ledger.claimed(request, result);
    this.#options.world.trace.add(`claim ${request.type} ${result.claimed.length}`);
    if (fault) return this.#fail(new Error('injected: lost claim'));
    await this.#travel(process);
    return result;
  }

  trim(plan: TrimPlan): Promise<TrimResult> {
    return this.#read(() => this.#options.inside.trim(plan));
  }

  watch(listener: (runId: string | undefined) => void): () => void {
    const { world, process, inside } = this.#options;
    return inside.watch((runId) => {
      if (process.isDead || world.chance(lostHints)) return;
      world.after(process, world.random() * longestMs, () => listener(runId));
    });
  }

  close(): Promise<void> {
    return this.#options.inside.close();
  }

  async #read<T>(inside: () => Promise<T>): Promise<T> {
    const { plan, process } = this.#options;
    const fault = plan.onRead(process);
    await this.#travel(process);
    if (fault) return this.#fail(new Error('injected: failed read'));
    return inside();
  }

  #note(batches: readonly Batch[], results: readonly BatchResult[]): void {
    const { world, process, ledger, stats } = this.#options;
    batches.forEach((batch, at) => {
      const result = results[at];
      world.trace.add(`${process.name} ${batch.runId} ${batch.expect} ${batch.records.length} ${result?.ok}`);
      if (result?.ok === true) {
        stats.commits += 1;
        ledger.committed(batch);
      } else if (result?.ok === false && result.why === 'fence') stats.refusedStale += 1;
    });
  }

  /** The answer is on its way for a moment, whatever it is. */
  async #fail(error: Error): Promise<never> {
    await this.#travel(this.#options.process);
    throw error;
  }

  #travel(owner: Owner): Promise<void> {
    const { world } = this.#options;
    return new Promise((resolve) => world.after(owner, 0.05 + world.random() * longestMs, resolve));
  }
}
