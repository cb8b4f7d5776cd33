import { movedRun, type Part } from '../../../src/engine/transfer/moved-run.ts';
import { readParts } from '../../../src/engine/transfer/read-parts.ts';
import { RunArrival } from '../../../src/engine/transfer/run-arrival.ts';
import type { Commit } from '../../../src/store/check/check-commit.ts';
import { CheckedStore, type CommitOutcome } from '../../../src/store/checked-store.ts';
import type { Operation } from './operation.ts';

/** A way to break an operation, that the kills have to find. */
export interface Mutant {
  readonly name: string;
  readonly operation: Operation;
  readonly breakIt: () => void;
}

/** What the harness has to catch. */
export const mutants: readonly Mutant[] = [
  { name: 'shows the header of a run first', operation: 'import', breakIt: showEarly },
  { name: 'takes what a crash left for the whole', operation: 'promote', breakIt: trustDrafts },
  { name: 'leaves out the last commit', operation: 'promote', breakIt: neverShow },
  { name: 'drops records before what stands for them is durable', operation: 'prune', breakIt: dropFirst },
  { name: 'forgets the base of a fork that it has deleted', operation: 'delete', breakIt: forgetBases },
];

export function mutantNamed(name: string): Mutant {
  const found = mutants.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`no mutant is named ${name}`);
  return found;
}

/** The header is there for all to see, and what it speaks of comes afterwards. */
function showEarly(): void {
  const commit = Reflect.get(CheckedStore.prototype, 'commit');
  const seen = new Set<string>();
  CheckedStore.prototype.commit = async function early(given: Commit): Promise<CommitOutcome> {
    const { runId, writer, expect, epoch, entries, header } = given;
    if (writer.by !== 'copier') return commit.call(this, given);
    const isBase = header?.status === 'pending' && header.superstep === 0;
    if (writer.of !== null && !isBase && writer.floor === 0) {
      seen.add(runId);
      return commit.call(this, { ...given, writer: { ...writer, end: 'seen' } });
    }
    if (!seen.has(runId)) return commit.call(this, given);
    if (entries.length === 0) return { ok: true, head: expect, bytes: 0, epoch: epoch ?? 0 };
    const { now } = Date;
    Date.now = () => writer.at;
    const committed = commit.call(this, { ...given, writer: { by: 'owner', fence: 0 } });
    Date.now = now;
    return committed;
  };
}

function trustDrafts(): void {
  const begin = Reflect.get(RunArrival, 'begin');
  RunArrival.begin = async (store, moved) => {
    const [found] = await store.runs({ runIds: [moved.runId], order: 'oldest', limit: 1 });
    if (found?.draft !== true || found.head === moved.head) return begin.call(RunArrival, store, moved);
    return begin.call(RunArrival, store, { ...moved, head: found.head }).then((arrival) => {
      arrival.take = async () => {};
      arrival.finish = () => {};
      return arrival;
    });
  };
}

function neverShow(): void {
  RunArrival.prototype.show = async () => {};
}

/** A prune in two transactions: the run goes, and comes again from its floor on. */
function dropFirst(): void {
  const trim = Reflect.get(CheckedStore.prototype, 'trim');
  CheckedStore.prototype.trim = async function inTwo(plan) {
    const { runId, floor, snapshot } = plan;
    const [header] = await this.runs({ runIds: [runId], order: 'oldest', limit: 1 });
    if (floor === undefined || snapshot === undefined || header === undefined) return trim.call(this, plan);
    const checked = await trim.call(this, { ...plan, dryRun: true });
    const forks = await this.runs({ forkOf: runId, order: 'oldest', limit: 1 });
    if (!checked.ok || forks.length > 0) return trim.call(this, plan);
    const trimmed = { ...header, floor };
    const parts: Part[] = [];
    for await (const part of readParts({ store: this, header: trimmed, upTo: header.head })) {
      parts.push(part.snapshot !== undefined && part.snapshot.covers < floor ? { ...part, snapshot: undefined } : part);
    }
    await trim.call(this, { runId, remove: true });
    const arrival = await RunArrival.begin(this, movedRun(trimmed, header.head));
    await arrival.take({ after: floor, entries: [], snapshot: { ...snapshot, covers: floor, seq: floor } });
    for (const part of parts) await arrival.take(part);
    await arrival.show();
    return checked;
  };
}

/** What a crash left of a deleted run is looked for by nobody. */
function forgetBases(): void {
  const runs = Reflect.get(CheckedStore.prototype, 'runs');
  CheckedStore.prototype.runs = async function forgetful(query, options) {
    const isSearch = query.hidden === true && query.forkOf === undefined;
    return isSearch ? [] : runs.call(this, query, options);
  };
  const trim = Reflect.get(CheckedStore.prototype, 'trim');
  CheckedStore.prototype.trim = async function slow(plan) {
    const trimmed = await trim.call(this, plan);
    // So that kills strike between a fork and its base.
    if (plan.remove === true) await new Promise((resolve) => setTimeout(resolve, 30));
    return trimmed;
  };
}
