import type { Entry } from '../../src/record/record.ts';
import { decodeEntry } from '../../src/record/record-codec.ts';
import { keyOfCall } from '../../src/runner/fold/call/call-key.ts';
import { callOfRecord } from '../../src/runner/fold/call/call-type.ts';
import type { TaskPlace } from '../../src/runner/fold/payload.ts';
import { type RunState, taskKey } from '../../src/runner/fold/run-state.ts';
import type { Batch, DoubtResult } from '../../src/store/contract/commit.ts';
import type { ClaimRequest, ClaimResult } from '../../src/store/contract/lease.ts';
import type { ForkPoint } from '../../src/store/contract/run.ts';
import { BatchBook } from './batch-book.ts';
import { DueWatch } from './due-watch.ts';
import { OnceEffects } from './once-effects.ts';
import { newTruth, type RunTruth } from './run-truth.ts';
import type { SimProcess } from './sim-process.ts';
import { WorkWatch } from './work-watch.ts';
import type { World } from './world.ts';

/** A clock that is set back may make a try begin too early, but not again and again. */
const mostIdleTries = 4;

/** What a record of a migration says that matters here. */
interface Migrated {
  readonly version: number;
  /** New names, by old name. */
  readonly nodes: Readonly<Record<string, string>>;
}

interface Acknowledged {
  readonly runId: string;
  readonly seq: number;
  readonly text: string;
}

/** Who executes something. */
export interface Execution {
  readonly by: string;
  readonly runId: string;
  readonly node: string;
  readonly item: number | undefined;
}

/** One try of a step. */
export interface StepTry {
  readonly key: string;
  readonly attempt: number;
  readonly name: string;
}

interface LedgerOptions {
  readonly time: Pick<World, 'nowMs' | 'processes'>;
  readonly leaseMs: number;
  /** When the faults are over. */
  readonly calmAtMs: number;
}

/** A process, and what it knew when it asked: a request may be on its way while another one of it meets an outage. */
interface Asker {
  readonly name: string;
  readonly outUntilMs: number | undefined;
  readonly skewMs: number;
}

/** Watches over what is committed, acknowledged and executed, and tells of what must not be. */
export class Ledger {
  readonly violations: string[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** Whether a run was failed because whoever executed it died, and they did. */
  hasCrashLoop = false;
  /** How much each process executes at a time. */
  readonly work: WorkWatch = new WorkWatch({
    leases: () => [...this.#runs].map(([runId, { worker, fence }]) => ({ runId, worker, fence })),
    tell: (violation) => this.#tell(violation),
  });
  readonly #book = new BatchBook((violation) => this.#tell(violation));
  readonly #runs = new Map<string, RunTruth>();
  readonly #once = new OnceEffects();
  /** Until when each worker lives, by the time that is right. */
  readonly #leases = new Map<string, number>();
  /** Processes whose engine has released everything. */
  readonly #left = new Set<string>();
  /** Processes that have died where others can see it: their runs may be taken over before their leases end. */
  readonly #seenDead = new Set<string>();
  readonly #time: Pick<World, 'nowMs' | 'processes'>;
  readonly #beatMs: number;

  readonly #due: DueWatch;

  constructor({ time, leaseMs, calmAtMs }: LedgerOptions) {
    this.#time = time;
    this.#beatMs = leaseMs / 3;
    this.#due = new DueWatch({ time, calmAtMs, tell: (violation) => this.#tell(violation) });
  }

  /** Whether an effect has happened and did not fail. */
  happened(key: string): boolean {
    return this.#once.happened(key);
  }

  /** Whether no run that is known has anything left to do. */
  get allEnded(): boolean {
    return this.open.length === 0;
  }

  /** The runs that have something left to do. */
  get open(): readonly string[] {
    return [...this.#runs].filter(([, { hasEnded, turns }]) => !hasEnded || turns > 0).map(([runId]) => runId);
  }

  holder(runId: string): string | null {
    return this.#runs.get(runId)?.worker ?? null;
  }

  get runs(): Iterable<string> {
    return this.#runs.keys();
  }

  /** After a power cut only what is on the disk counts. */
  forgetRuns(): void {
    this.#runs.clear();
  }

  /** What is kept of a run whose first records, or those of its base, were pruned. */
  pruned({ runId, superstep, frontier, version, end }: RunState): void {
    Object.assign(this.#truth(runId), { superstep, frontier, version, hasEnded: end !== undefined, isPruned: true });
  }

  /** A process asks for a commit. One whose engine has given everything back must not lease a run that it creates. */
  asked({ name }: SimProcess, { runId, create }: Batch): void {
    if (create !== null && create.worker !== null && this.#left.has(name))
      this.#tell(`${name} has released everything, and creates ${runId} as its own`);
  }

  /** A batch has gone through; late: after its writer was told that it had failed. */
  committed(batch: Batch, isLate: boolean): void {
    this.#book.committed(batch);
    this.#due.committed(batch, isLate);
    const { fence } = this.#truth(batch.runId);
    if (batch.fence !== null && fence > 0 && batch.fence !== fence)
      this.#tell(`a stale commit of ${batch.runId} was made`);
    if (batch.create?.forkedAt) this.#forks(batch.runId, batch.create.forkedAt);
    for (const { seq, text } of batch.records) {
      this.journalled(decodeEntry({ runId: batch.runId, seq }, text));
    }
    const truth = this.#truth(batch.runId);
    if (batch.fence !== null) truth.deaths = 0;
    if (batch.create !== null) {
      truth.worker = batch.create.worker === null ? null : processOf(batch.create.worker);
      truth.fence = batch.create.worker === null ? 0 : 1;
      truth.isTold = false;
    }
    if (batch.release) truth.worker = null;
  }

  /** A fork has the history of its base up to there. */
  #forks(runId: string, { runId: baseId, seq }: ForkPoint): void {
    const { entries, frontier, version, isPruned } = this.#truth(baseId);
    // Of what was pruned, only the super-step is known that was open when the run was read.
    if (isPruned) Object.assign(this.#truth(runId), { frontier, version });
    for (const entry of entries) if (entry.seq <= seq) this.journalled({ ...entry, runId });
  }

  /** A record is in the journal. */
  journalled(entry: Entry): void {
    const truth = this.#truth(entry.runId);
    truth.head = entry.seq;
    truth.entries.push(entry);
    const payload = (entry.payload ?? {}) as Record<string, unknown>;
    switch (entry.kind) {
      case 'note':
        // Nobody executes a journal that somebody keeps.
        if (entry.seq === 1) truth.hasEnded = true;
        return;
      case 'run-start':
      case 'turn':
        truth.frontier = payload['next'] as readonly string[];
        if (entry.kind === 'turn') truth.turns -= 1;
        truth.hasEnded = false;
        return;
      case 'superstep':
        truth.frontier = (payload['next'] as readonly string[] | undefined) ?? [];
        truth.superstep += 1;
        truth.done.clear();
        return;
      case 'task':
        truth.done.add(taskKey(payload as unknown as TaskPlace));
        return;
      case 'result':
        truth.results.add(keyOfCall(entry.runId, truth.superstep, callOfRecord(entry)));
        return;
      case 'settle':
        if (payload['outcome'] === 'retry')
          this.#once.allowAgain(payload['key'] as string, `${entry.runId}@${entry.seq}`);
        return;
      case 'resume':
        truth.hasEnded = false;
        return;
      case 'cancel':
        if (truth.cancelled === 'no') truth.cancelled = 'since';
        return;
      case 'migrate':
        this.#migrated(truth, entry.runId, payload as unknown as Migrated);
        return;
      case 'message':
        if ('turn' in payload) truth.turns += 1;
        return;
      case 'run-end':
        truth.hasEnded = true;
        this.#judgeCrashLoop(truth, entry.runId, payload);
        return;
      default:
    }
  }

  /** The old code finishes what it has begun. */
  #migrated(truth: RunTruth, runId: string, { version, nodes }: Migrated): void {
    if (truth.done.size > 0) this.#tell(`${runId} was migrated when a task of its super-step was done`);
    truth.version = version;
    truth.frontier = truth.frontier.map((node) => nodes[node] ?? node);
  }

  #judgeCrashLoop({ deaths }: RunTruth, runId: string, payload: Record<string, unknown>): void {
    const error = payload['error'] as { readonly code: string; readonly details: Record<string, unknown> } | undefined;
    if (error?.code !== 'HOLDFAST_CRASH_LOOP') return;
    this.hasCrashLoop = true;
    // A parent fails with the error of its child, whose crashes they were.
    if (error.details['runId'] !== runId) return;
    const takeovers = error.details['takeovers'] as number;
    if (deaths < takeovers) this.#tell(`${runId} was failed for ${takeovers} crashes, and ${deaths} processes died`);
  }

  /** A batch was refused: whoever asked for it is told that it was not made. */
  refused(batch: Batch): void {
    this.#book.refused(batch);
  }

  /** The store has said what became of a batch in doubt. */
  resolved(batch: Batch, result: DoubtResult): void {
    this.#book.resolved(batch, result);
  }

  /** A process has died, and with it what it executed. */
  died({ name }: SimProcess): void {
    if (this.#time.processes.isVisible) this.#seenDead.add(name);
    for (const truth of this.#runs.values()) if (truth.worker === name) truth.deaths += 1;
  }

  /** Whoever asked for the batch has been told that it is durable. */
  acknowledge(batch: Batch): void {
    for (const { seq, text } of batch.records) this.acknowledged.push({ runId: batch.runId, seq, text });
    if (batch.create !== null) this.#heard(batch.runId, 1);
  }

  /** The answer to a claim has arrived. */
  told({ claimed }: ClaimResult): void {
    for (const { header } of claimed) this.#heard(header.runId, header.fence);
  }

  #heard(runId: string, fence: number): void {
    const truth = this.#truth(runId);
    if (truth.fence === fence) truth.isTold = true;
  }

  claimed(asker: Asker, request: ClaimRequest, result: ClaimResult): void {
    const { name, outUntilMs } = asker;
    const { nowMs } = this.#time;
    if ('leaseMs' in request) this.#leases.set(name, nowMs + request.leaseMs);
    for (const { header } of result.claimed) {
      const { runId, fence } = header;
      const truth = this.#truth(runId);
      if (
        truth.worker !== null &&
        (this.#leases.get(truth.worker) ?? 0) > nowMs + 1 &&
        !this.#seenDead.has(truth.worker)
      ) {
        this.#tell(`${name} took ${runId} from ${truth.worker}, which lives`);
      }
      if (truth.worker !== null && outUntilMs !== undefined && nowMs < outUntilMs + this.#beatMs) {
        this.#tell(`${name} took ${runId} from ${truth.worker} before that one could reconnect`);
      }
      this.#due.claimed(asker, runId, truth.worker === null ? 0 : (this.#leases.get(truth.worker) ?? 0));
      truth.worker = name;
      truth.fence = fence;
      truth.isTold = false;
      if (truth.cancelled === 'since') truth.cancelled = 'before';
    }
    if (request.type !== 'release') return;
    if (request.runIds === undefined) {
      this.#leases.delete(name);
      this.#left.add(name);
    }
    for (const [runId, truth] of this.#runs) {
      if (truth.worker !== name || !(request.runIds?.includes(runId) ?? true)) continue;
      truth.worker = null;
      this.#due.released(runId);
    }
  }

  /** A body begins. Whoever lost the run cannot know what others have done since; whoever holds it does. */
  bodyBegins({ by, runId, node, item }: Execution, version: number): void {
    const truth = this.#truth(runId);
    if (!isOwner(truth, by)) return;
    this.work.bodyBegins(by, { runId, worker: by, fence: truth.fence });
    const key = taskKey({ node, item });
    if (version !== truth.version)
      this.#tell(`${by} executes code of version ${version} in ${runId}, which has version ${truth.version}`);
    if (truth.cancelled === 'before') this.#tell(`${by} executes node ${key} of ${runId}, which was cancelled before`);
    if (!truth.frontier.includes(node)) this.#tell(`${by} executes node ${key} of ${runId}, which is not to be run`);
    if (truth.done.has(key)) this.#tell(`${by} executes task ${key} of ${runId} again, whose record is journalled`);
    this.#countIdle(truth, { by, runId, key });
  }

  /** A try leaves something in the journal; one that does not has had nothing to run for. */
  #countIdle(
    truth: RunTruth,
    { by, runId, key }: { readonly by: string; readonly runId: string; readonly key: string },
  ): void {
    const at = `${truth.fence}@${truth.head}`;
    const before = truth.begun.get(key);
    const times = before?.at === at ? before.times + 1 : 1;
    truth.begun.set(key, { at, times });
    if (times === mostIdleTries) this.#tell(`${by} executes task ${key} of ${runId} ${times} times for nothing`);
  }

  /** The function of a step begins. */
  stepBegins({ by, runId, node }: Execution, { key, attempt, name }: StepTry): void {
    const truth = this.#truth(runId);
    if (!isOwner(truth, by)) return;
    const what = `${by} executes step ${name} of ${node} of ${runId}`;
    if (truth.results.has(key)) this.#tell(`${what} again`);
    const tried = `${key} ${attempt} ${truth.fence}`;
    if (truth.tried.has(tried)) this.#tell(`${what} twice under one lease`);
    truth.tried.add(tried);
  }

  /** A `once` effect happens; gives how often it has. */
  onceHappens({ by, runId }: Execution, key: string): number {
    const { executions, isTooMany } = this.#once.happens(key);
    if (isTooMany) this.#tell(`${by} lets an effect of ${runId} happen ${executions} times`);
    return executions;
  }

  /** It is known to have failed. */
  onceFails(key: string): void {
    this.#once.fails(key);
  }

  #truth(runId: string): RunTruth {
    let truth = this.#runs.get(runId);
    if (truth === undefined) {
      truth = newTruth();
      this.#runs.set(runId, truth);
    }
    return truth;
  }

  #tell(violation: string): void {
    if (this.violations.length < 20) this.violations.push(violation);
  }
}

/** A process that was given a run again, and has not heard of it, still executes it the old way. */
function isOwner({ worker, isTold }: RunTruth, by: string): boolean {
  return worker === by && isTold;
}

/** The process behind a worker: an engine adds something to the name that it is given. */
function processOf(worker: string): string {
  return worker.split(':')[0] as string;
}
