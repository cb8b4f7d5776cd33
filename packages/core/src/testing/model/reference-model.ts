import { contentOf } from '../../record/content-of.ts';
import type { Entry, NewEntry } from '../../record/record.ts';
import type { Commit } from '../../store/check/check-commit.ts';
import type { Trim } from '../../store/check/check-request.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import { hashOfId } from '../../store/commit/seal-id.ts';
import type { Batch, Refusal } from '../../store/contract/commit.ts';
import type { GraphName } from '../../store/contract/lease.ts';
import type { HeaderState, LeaseRefusal, NewRun, RunHeader } from '../../store/contract/run.ts';

/** A snapshot as the model keeps it. */
export interface ModelSnapshot {
  readonly covers: number;
  readonly seq: number;
  readonly head: unknown;
  readonly body: unknown;
}

/** A run as the model keeps it. */
export interface ModelRun {
  header: RunHeader;
  entries: readonly Entry[];
  snapshots: readonly ModelSnapshot[];
  /** Those of trimmed records too. */
  ids: readonly KnownId[];
  /** Of batches that were made with a token that the session knows: by the seq of their first record. */
  tokens: ReadonlyMap<number, string>;
}

/** What the model answers to a commit. */
export type ModelOutcome =
  | { readonly ok: true; readonly head: number }
  | { readonly ok: false; readonly why: Refusal; readonly found: RunHeader | undefined };

/** What the model answers to a plan. */
export type ModelTrim =
  | { readonly ok: true; readonly records: number; readonly snapshots: number }
  | { readonly ok: false; readonly why: 'missing' | 'head' | 'forks' | 'floor' };

/** What a claim of due runs asks for. */
export interface Waking {
  readonly worker: string;
  readonly graphs: readonly GraphName[];
  readonly takeover: boolean;
  readonly now: number;
}

/** What a claim of one run asks for. */
export interface LeaseOne {
  readonly runId: string;
  readonly ifDue: boolean;
  readonly takeover: boolean;
  readonly now: number;
}

interface Release {
  readonly runIds?: readonly string[] | undefined;
  readonly refusal?: LeaseRefusal | undefined;
}

/** The contract once more, as plainly as it can be said: arrays that are searched from end to end. */
export class ReferenceModel {
  runs: readonly ModelRun[] = [];
  #leases: readonly { readonly worker: string; readonly endsAt: number }[] = [];
  /** Epochs of runs that do not exist. */
  #voids: ReadonlyMap<string, number> = new Map();
  #duties: ReadonlyMap<string, number> = new Map();

  find(id: string): ModelRun | undefined {
    return this.runs.find(({ header }) => header.runId === id);
  }

  commit(commit: Commit, at: number): ModelOutcome {
    const { runId, writer, expect, entries, header = {}, snapshot } = commit;
    const why = this.#refusal(commit);
    if (why !== undefined) return { ok: false, why, found: this.find(runId)?.header };
    const head = expect + entries.length;
    if (writer.by === 'creator') this.#add(runId, writer.of);
    const target = this.find(runId) as ModelRun;
    const refusals = entries.length > 0 ? [] : target.header.refusals;
    target.header = { ...target.header, ...header, head, refusals, updatedAt: at };
    if (writer.by === 'owner') target.header = { ...target.header, claims: 0 };
    if (writer.by === 'owner' && writer.release) target.header = { ...target.header, worker: null };
    target.entries = [...target.entries, ...entries.map((entry, index) => placed(entry, runId, expect + index + 1))];
    target.ids = [...target.ids, ...idsOf(entries, expect)];
    if (snapshot !== undefined) target.snapshots = [...target.snapshots, { ...snapshot, seq: head }];
    return { ok: true, head };
  }

  /** The epoch that a batch for this run has to name. */
  epochOf(runId: string): number {
    return this.find(runId)?.header.epoch ?? this.#voids.get(runId) ?? 0;
  }

  /** Sends a batch as it is: unlike the checked store, which repeats it, this is refused by its epoch. */
  arrive(commit: Commit, { token, epoch, at }: Pick<Batch, 'token' | 'epoch' | 'at'>): ModelOutcome {
    const { runId, expect } = commit;
    const why = this.#refusal(commit) ?? (epoch === this.epochOf(runId) ? undefined : 'epoch');
    if (why !== undefined) return { ok: false, why, found: this.find(runId)?.header };
    const outcome = this.commit(commit, at);
    const run = this.find(runId) as ModelRun;
    run.tokens = new Map([...run.tokens, [expect + 1, token]]);
    return outcome;
  }

  /** Settles a batch in doubt. */
  resolveDoubt({
    runId,
    expect,
    token,
  }: Pick<Batch, 'runId' | 'expect' | 'token'>): 'committed' | 'absent' | 'unknown' {
    const run = this.find(runId);
    const isThere = run?.entries.some(({ seq }) => seq === expect + 1) === true;
    if (isThere && run.tokens.get(expect + 1) === token) return 'committed';
    const { head = 0, floor = 0, forkedAt = null } = run?.header ?? {};
    const wasOwn = expect < head && (expect < floor || expect >= (forkedAt?.seq ?? 0));
    if (wasOwn && !isThere) return 'unknown';
    const epoch = this.epochOf(runId) + 1;
    if (run === undefined) this.#voids = new Map([...this.#voids, [runId, epoch]]);
    else run.header = { ...run.header, epoch };
    return 'absent';
  }

  #refusal({ runId, writer, expect }: Commit): Refusal | undefined {
    const known = this.find(runId);
    if (writer.by === 'creator') {
      if (known !== undefined) return 'exists';
      return this.#isBase(writer.of) ? undefined : 'base';
    }
    if (known === undefined || known.header.hidden) return 'missing';
    if (writer.by === 'owner' && writer.fence !== known.header.fence) return 'fence';
    return expect === known.header.head ? undefined : 'head';
  }

  #isBase({ forkedAt, kind }: NewRun): boolean {
    if (forkedAt === null) return true;
    const parent = this.find(forkedAt.runId);
    if (parent === undefined) return false;
    const isRecord = parent.entries.some(({ seq }) => seq === forkedAt.seq);
    const isFloor = parent.header.floor === forkedAt.seq && forkedAt.seq > (parent.header.forkedAt?.seq ?? 0);
    return (isRecord || isFloor) && (kind === 'graph' || parent.snapshots.some(({ seq }) => seq === forkedAt.seq));
  }

  #add(runId: string, of: NewRun): void {
    const state: HeaderState = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} };
    const fence = of.worker === null ? 0 : 1;
    const epoch = this.epochOf(runId);
    const rest = { head: 0, floor: 0, updatedAt: 0, fence, epoch, claims: 0, hidden: false, refusals: [] };
    this.runs = [
      ...this.runs,
      { header: { ...of, ...state, runId, ...rest }, entries: [], snapshots: [], ids: [], tokens: new Map() },
    ];
    this.#voids = new Map([...this.#voids].filter(([id]) => id !== runId));
  }

  isAlive(worker: string | null, now: number): boolean {
    return this.#leases.some((lease) => lease.worker === worker && lease.endsAt > now);
  }

  /** The runs with a wake time that the worker may lease now or later, the first due first. */
  waking({ worker, graphs, takeover, now }: Waking): readonly RunHeader[] {
    return this.runs
      .map(({ header }) => header)
      .filter(({ wakeAt }) => wakeAt !== null)
      .filter(({ graph, version }) =>
        graphs.some((g) => g.name === graph && (g.version === undefined || g.version === version)),
      )
      .filter(({ kind, hidden, worker: leasedBy }) => kind === 'graph' && !hidden && (takeover || leasedBy === null))
      .filter((header) => header.worker !== worker || this.isFree(header, now))
      .filter(({ refusals }) => !refusals.some((refusal) => refusal.worker === worker))
      .toSorted((a, b) => this.#leasableAt(a, now) - this.#leasableAt(b, now));
  }

  /** When a run with a wake time can be leased, as it stands. */
  #leasableAt({ wakeAt, worker }: RunHeader, now: number): number {
    const endsAt = this.#leases.find((lease) => lease.worker === worker && lease.endsAt > now)?.endsAt ?? 0;
    return Math.max(Number(wakeAt), endsAt);
  }

  /** When the first of these runs can be leased that is not among those that were. */
  nextDueAt(waking: readonly RunHeader[], leased: number, now: number): number | null {
    const next = waking[leased];
    return next === undefined ? null : this.#leasableAt(next, now);
  }

  mayLease({ runId, ifDue, takeover, now }: LeaseOne): boolean {
    const header = this.find(runId)?.header;
    if (header === undefined || !this.isFree(header, now) || !(takeover || header.worker === null)) return false;
    return !ifDue || (header.wakeAt !== null && header.wakeAt <= now);
  }

  /** When a run can be leased that was not; null if it has no wake time or the worker itself leases it. */
  nextTimeFor(worker: string, runId: string, now: number): number | null {
    const header = this.find(runId)?.header;
    if (header === undefined || header.kind !== 'graph' || header.hidden || header.worker === worker) return null;
    return header.wakeAt === null ? null : this.#leasableAt(header, now);
  }

  /** Whether no live worker leases it, and a worker may. */
  isFree({ kind, hidden, worker }: RunHeader, now: number): boolean {
    return kind === 'graph' && !hidden && !this.isAlive(worker, now);
  }

  lease(runId: string, worker: string): RunHeader {
    const target = this.find(runId) as ModelRun;
    const { fence, claims } = target.header;
    const crashes = target.header.worker === null ? claims : claims + 1;
    target.header = { ...target.header, worker, fence: fence + 1, claims: crashes };
    return target.header;
  }

  heartbeat(worker: string, endsAt: number): void {
    this.#leases = [...this.#leases.filter((lease) => lease.worker !== worker), { worker, endsAt }];
  }

  release(worker: string, { runIds, refusal }: Release): void {
    if (runIds === undefined) this.#leases = this.#leases.filter((lease) => lease.worker !== worker);
    for (const run of this.runs) {
      const named = runIds === undefined || runIds.includes(run.header.runId);
      if (!named || run.header.worker !== worker) continue;
      const others = run.header.refusals.filter((kept) => kept.worker !== worker);
      const refusals = refusal === undefined ? run.header.refusals : [...others, refusal];
      run.header = { ...run.header, worker: null, refusals };
    }
  }

  grantsDuty({
    name,
    everyMs,
    now,
  }: {
    readonly name: string;
    readonly everyMs: number;
    readonly now: number;
  }): boolean {
    const before = this.#duties.get(name);
    if (before !== undefined && before > now - everyMs) return false;
    this.#duties = new Map([...this.#duties, [name, now]]);
    return true;
  }

  trim({
    runId,
    head,
    floor,
    snapshot,
    drop = [],
    hide,
    ids = [],
    forgetIds = 0,
    remove = false,
    dryRun = false,
  }: Trim): ModelTrim {
    const target = this.find(runId);
    if (target === undefined) return { ok: false, why: 'missing' };
    const { header, entries, snapshots } = target;
    if (head !== undefined && head !== header.head) return { ok: false, why: 'head' };
    const lowest = floor ?? 0;
    const highest = hide?.keepTo ?? Number.POSITIVE_INFINITY;
    const keepsEntry = ({ seq }: Entry) => !remove && seq > lowest && seq <= highest;
    const isNamed = (kept: ModelSnapshot) => drop.some(({ covers, seq }) => covers === kept.covers && seq === kept.seq);
    const keepsSnapshot = (kept: ModelSnapshot) =>
      !remove && kept.covers >= lowest && kept.covers <= highest && kept.seq <= highest && !isNamed(kept);
    const standsOnWhatGoes = (seq: number) =>
      remove ||
      seq < lowest ||
      seq > highest ||
      (header.kind === 'journal' && snapshots.some((kept) => kept.seq === seq && !keepsSnapshot(kept)));
    if (this.#basesIn(runId).some(standsOnWhatGoes)) return { ok: false, why: 'forks' };
    if (floor !== undefined) {
      const isInside = floor >= header.floor && floor >= (header.forkedAt?.seq ?? 0) && floor <= header.head;
      const hasSnapshot = snapshot !== undefined || snapshots.some(({ covers }) => covers === floor);
      if (!isInside || !hasSnapshot) return { ok: false, why: 'floor' };
    }
    const kept = { entries: entries.filter(keepsEntry), snapshots: snapshots.filter(keepsSnapshot) };
    const went = { records: entries.length - kept.entries.length, snapshots: snapshots.length - kept.snapshots.length };
    if (dryRun) return { ok: true, ...went };
    if (remove) {
      this.runs = this.runs.filter((other) => other !== target);
      if (header.epoch > 0) this.#voids = new Map([...this.#voids, [runId, header.epoch]]);
      return { ok: true, ...went };
    }
    Object.assign(target, kept);
    const isOld = ({ seq, at }: KnownId) => seq <= (floor ?? header.floor) && at < forgetIds;
    const others = target.ids.filter((known) => !ids.some(({ id }) => id === known.id));
    target.ids = [...others, ...ids].filter((known) => !isOld(known) && known.seq <= highest);
    if (floor !== undefined) target.header = { ...target.header, floor };
    if (snapshot !== undefined) {
      const { key = { covers: lowest, seq: lowest }, ...parts } = snapshot;
      const others = target.snapshots.filter(({ covers, seq }) => covers !== key.covers || seq !== key.seq);
      target.snapshots = [...others, { ...parts, covers: key.covers, seq: key.seq }];
    }
    if (hide !== undefined) target.header = { ...target.header, hidden: true, worker: null, fence: header.fence + 1 };
    return { ok: true, ...went };
  }

  #basesIn(runId: string): readonly number[] {
    return this.runs.flatMap(({ header }) => (header.forkedAt?.runId === runId ? [header.forkedAt.seq] : []));
  }
}

function idsOf(entries: readonly NewEntry[], expect: number): readonly KnownId[] {
  return entries.flatMap((entry, at) =>
    entry.id === undefined
      ? []
      : [{ id: hashOfId(entry.id), seq: expect + at + 1, at: entry.at, content: contentOf(entry) }],
  );
}

function placed({ kind, id, at, payload }: NewEntry, runId: string, seq: number): Entry {
  return { runId, seq, kind, id, source: 'system', at, labels: [], meta: {}, payload };
}
