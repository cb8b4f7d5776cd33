import { isDeepStrictEqual } from 'node:util';
import type {
  Batch,
  BatchResult,
  DoubtResult,
  StoredId,
  StoredRecord,
  StoredSnapshot,
} from '../../../src/store/contract/commit.ts';
import type { Capabilities, HintListener, StoreDriver } from '../../../src/store/contract/driver.ts';
import type { ClaimRequest, ClaimResult } from '../../../src/store/contract/lease.ts';
import type {
  IdQuery,
  LoadQuery,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from '../../../src/store/contract/read.ts';
import type { TrimPlan, TrimResult } from '../../../src/store/contract/retention.ts';
import { faultOf } from '../../../src/store/store-fault.ts';
import type { Answer, Asked, Ledger } from './ledger.ts';

interface LedgerDriverOptions {
  readonly inside: StoreDriver;
  readonly ledger: Ledger;
  readonly now: () => number;
  /** Called when something was acknowledged, in the same turn: a power cut now must not lose it. */
  readonly onAcknowledge: () => void;
  /** Called when the driver answers something else than the reference: what is thrown here would be taken for a fault. */
  readonly onMismatch: (what: string) => void;
}

/** Writes into a ledger what a driver is asked and what it acknowledges, and compares its answers with the reference. */
export class LedgerDriver implements StoreDriver {
  readonly capabilities: Capabilities;
  readonly #inside: StoreDriver;
  readonly #ledger: Ledger;
  readonly #now: () => number;
  readonly #onAcknowledge: () => void;
  readonly #onMismatch: (what: string) => void;

  constructor({ inside, ledger, now, onAcknowledge, onMismatch }: LedgerDriverOptions) {
    this.capabilities = inside.capabilities;
    this.#inside = inside;
    this.#ledger = ledger;
    this.#now = now;
    this.#onAcknowledge = onAcknowledge;
    this.#onMismatch = onMismatch;
  }

  commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    const nowMs = this.#now();
    // The reference never has doubts, and so no epochs either.
    const asked = batches.map((batch): Asked => ({ type: 'batch', batch: { ...batch, epoch: 0 }, nowMs }));
    return this.#ask(
      asked,
      async () => this.#inside.commit(batches),
      (results) => results,
    );
  }

  /** A batch in doubt stays in flight in the ledger until the driver says what became of it. */
  async resolveDoubt(batch: Batch): Promise<DoubtResult> {
    const result = await this.#inside.resolveDoubt(batch);
    const inFlight = this.#ledger.inFlightOf(batch);
    if (inFlight === undefined || result.outcome === 'unknown') return result;
    if (result.outcome === 'absent') this.#ledger.withdraw(inFlight);
    else this.#ledger.acknowledge(inFlight);
    this.#onAcknowledge();
    return result;
  }

  load(query: LoadQuery): Promise<StoredRun | undefined> {
    return this.#inside.load(query);
  }

  claim(request: ClaimRequest): Promise<ClaimResult> {
    const asked: Asked = { type: 'claim', request, nowMs: this.#now() };
    return this.#ask(
      [asked],
      () => this.#inside.claim(request),
      (result) => [result],
    );
  }

  trim(plan: TrimPlan): Promise<TrimResult> {
    const asked: Asked = { type: 'trim', plan, nowMs: this.#now() };
    return this.#ask(
      [asked],
      () => this.#inside.trim(plan),
      (result) => [result],
    );
  }

  records(query: RecordQuery): Promise<readonly StoredRecord[]> {
    return this.#inside.records(query);
  }

  snapshots(query: SnapshotQuery): Promise<readonly StoredSnapshot[]> {
    return this.#inside.snapshots(query);
  }

  ids(query: IdQuery): Promise<readonly StoredId[]> {
    return this.#inside.ids(query);
  }

  runs(query: RunsQuery): Promise<RunsPage> {
    return this.#inside.runs(query);
  }

  watch(listener: HintListener): () => void {
    return this.#inside.watch(listener);
  }

  close(): Promise<void> {
    return this.#inside.close();
  }

  async #ask<T>(
    asked: readonly Asked[],
    call: () => Promise<T>,
    answers: (result: T) => readonly Answer[],
  ): Promise<T> {
    const open = [];
    for (const each of asked) open.push(await this.#ledger.ask(each));
    let result: T;
    try {
      result = await call();
    } catch (error) {
      // In doubt: it stays in flight until the runs are read again.
      if (faultOf(error).effect === 'none') for (const { inFlight } of open) this.#ledger.withdraw(inFlight);
      throw error;
    }
    const given = answers(result);
    open.forEach(({ inFlight }, at) => {
      if (isRefusedByEpoch(given[at] as Answer)) this.#ledger.withdraw(inFlight);
      else this.#ledger.acknowledge(inFlight);
    });
    this.#onAcknowledge();
    open.forEach(({ expected, inFlight }, at) => this.#compare(given[at] as Answer, expected, inFlight.asked));
    return result;
  }

  #compare(given: Answer, expected: Answer, asked: Asked): void {
    if (isRefusedByEpoch(given) || isDeepStrictEqual(essence(given), essence(expected))) return;
    const [got, wanted] = [given, expected].map((answer) => JSON.stringify(essence(answer)));
    this.#onMismatch(`answered ${got} instead of ${wanted} to ${JSON.stringify(asked).slice(0, 300)}`);
  }
}

/** The checked store repeats such a batch. */
function isRefusedByEpoch(answer: Answer): boolean {
  return 'why' in answer && answer.why === 'epoch';
}

/** What any two drivers have to agree on. */
function essence(answer: Answer): unknown {
  if ('claimed' in answer)
    return { granted: answer.granted, claimed: answer.claimed.map(({ header }) => [header.runId, header.fence]) };
  return answer.ok ? { ok: true } : { ok: false, why: answer.why };
}
