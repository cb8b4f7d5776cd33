import type {
  Batch,
  BatchResult,
  DoubtResult,
  StoredId,
  StoredRecord,
  StoredSnapshot,
} from '../../store/contract/commit.ts';
import type { Capabilities, HintListener, StoreDriver } from '../../store/contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../../store/contract/lease.ts';
import type {
  IdQuery,
  LoadQuery,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from '../../store/contract/read.ts';
import type { TrimPlan, TrimResult } from '../../store/contract/retention.ts';
import { storeFault } from '../../store/store-fault.ts';
import type { Clock } from '../../time/clock.ts';
import type { FaultKind, FaultPlan, FaultyMethod } from './fault-plan.ts';
import { LateCommits, type LateOptions } from './late-commits.ts';

interface FaultyDriverOptions extends LateOptions {
  readonly clock: Clock;
}

/** A driver that fails as planned, and otherwise does what the one inside does. */
export class FaultyDriver implements StoreDriver {
  readonly capabilities: Capabilities;
  readonly #inside: StoreDriver;
  readonly #plan: FaultPlan;
  readonly #late: LateCommits;
  readonly #counts = new Map<FaultyMethod, number>();

  constructor(inside: StoreDriver, plan: FaultPlan, options: FaultyDriverOptions) {
    this.capabilities = inside.capabilities;
    this.#inside = inside;
    this.#plan = plan;
    this.#late = new LateCommits(inside, options);
  }

  commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    return this.#call('commit', () => this.#late.commit(batches), {
      late: () => this.#late.commitLater(batches),
    });
  }

  resolveDoubt(batch: Batch): Promise<DoubtResult> {
    return this.#call('resolveDoubt', () => this.#inside.resolveDoubt(batch));
  }

  load(query: LoadQuery): Promise<StoredRun | undefined> {
    return this.#call('load', () => this.#inside.load(query));
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return this.#call('records', () => this.#inside.records(query));
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return this.#call('snapshots', () => this.#inside.snapshots(query));
  }

  ids(query: IdQuery): Promise<readonly StoredId[]> {
    return this.#call('ids', () => this.#inside.ids(query));
  }

  runs(query: RunsQuery): Promise<RunsPage> {
    return this.#call('runs', () => this.#inside.runs(query));
  }

  claim(request: ClaimRequest): Promise<ClaimResult> {
    return this.#call('claim', () => this.#inside.claim(request));
  }

  trim(plan: TrimPlan): Promise<TrimResult> {
    return this.#call('trim', () => this.#inside.trim(plan));
  }

  watch(listener: HintListener): () => void {
    return this.#inside.watch(listener);
  }

  close(): Promise<void> {
    return this.#call('close', async () => {
      await this.#late.settle();
      await this.#inside.close();
    });
  }

  async #call<T>(
    method: FaultyMethod,
    inside: () => Promise<T>,
    { late }: { readonly late?: () => void } = {},
  ): Promise<T> {
    const count = this.#counts.get(method) ?? 0;
    this.#counts.set(method, count + 1);
    const kind = this.#plan({ method, count });
    if (kind === undefined) return inside();
    if (kind.endsWith('lost-answer')) await inside();
    if (kind.endsWith('late-commit')) late?.();
    throw errorOf(kind, new Error(`injected: ${kind} in ${method}`));
  }
}

function errorOf(kind: FaultKind, cause: Error): Error {
  switch (kind) {
    case 'none':
      return storeFault({ effect: 'none', cause });
    case 'transient-none':
      return storeFault({ effect: 'none', transient: true, cause });
    case 'transient-lost-request':
    case 'transient-lost-answer':
    case 'transient-late-commit':
      return storeFault({ effect: 'unknown', transient: true, cause });
    case 'poison':
      return storeFault({ effect: 'none', poisoned: true, cause });
    case 'poison-lost-answer':
      return storeFault({ effect: 'unknown', poisoned: true, cause });
    case 'lost-request':
    case 'lost-answer':
    case 'late-commit':
      return cause;
  }
}
