import type { Awaitable } from '../../async/awaitable.ts';
import type { Batch, BatchResult, StoredRecord, StoredSnapshot } from '../../store/contract/commit.ts';
import type { Capabilities, StoreDriver } from '../../store/contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../../store/contract/lease.ts';
import type { RecordQuery, RunsQuery, SnapshotQuery } from '../../store/contract/read.ts';
import type { TrimPlan, TrimResult } from '../../store/contract/retention.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { storeFault } from '../../store/store-fault.ts';
import type { FaultKind, FaultPlan, FaultyMethod } from './fault-plan.ts';

/** A driver that fails as planned, and otherwise does what the one inside does. */
export class FaultyDriver implements StoreDriver {
  readonly capabilities: Capabilities;
  readonly #inside: StoreDriver;
  readonly #plan: FaultPlan;
  readonly #counts = new Map<FaultyMethod, number>();

  constructor(inside: StoreDriver, plan: FaultPlan) {
    this.capabilities = inside.capabilities;
    this.#inside = inside;
    this.#plan = plan;
  }

  commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    return this.#call('commit', () => this.#inside.commit(batches));
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return this.#call('records', () => this.#inside.records(query));
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return this.#call('snapshots', () => this.#inside.snapshots(query));
  }

  runs(query: RunsQuery): Promise<readonly RunHeader[]> {
    return this.#call('runs', () => this.#inside.runs(query));
  }

  claim(request: ClaimRequest): Promise<ClaimResult> {
    return this.#call('claim', () => this.#inside.claim(request));
  }

  trim(plan: TrimPlan): Promise<TrimResult> {
    return this.#call('trim', () => this.#inside.trim(plan));
  }

  watch(listener: (runId: string | undefined) => void): () => void {
    return this.#inside.watch(listener);
  }

  close(): Promise<void> {
    return this.#call('close', () => this.#inside.close());
  }

  async #call<T>(method: FaultyMethod, inside: () => Awaitable<T>): Promise<T> {
    const count = this.#counts.get(method) ?? 0;
    this.#counts.set(method, count + 1);
    const kind = this.#plan({ method, count });
    if (kind === undefined) return inside();
    if (kind === 'lost-answer' || kind === 'poison-lost-answer') await inside();
    throw errorOf(kind, new Error(`injected: ${kind} in ${method}`));
  }
}

function errorOf(kind: FaultKind, cause: Error): Error {
  switch (kind) {
    case 'none':
      return storeFault({ effect: 'none', cause });
    case 'poison':
      return storeFault({ effect: 'none', poisoned: true, cause });
    case 'poison-lost-answer':
      return storeFault({ effect: 'unknown', poisoned: true, cause });
    case 'lost-request':
    case 'lost-answer':
      return cause;
  }
}
