import type { Engine } from '../../src/engine/engine.ts';
import { openEngineIn } from '../../src/engine/open.ts';
import { hasEnded } from '../../src/engine/query/run-summary.ts';
import { nodeCallScope } from '../../src/env/call-scope.ts';
import type { Env } from '../../src/env/env.ts';
import { allRuns } from '../../src/journal/all-runs.ts';
import type { Entry } from '../../src/record/record.ts';
import { callKey, callOfRecord } from '../../src/runner/fold/call/call-type.ts';
import type { CallPlace, TaskPlace } from '../../src/runner/fold/payload.ts';
import { taskKey } from '../../src/runner/fold/run-state.ts';
import { CheckedStore } from '../../src/store/checked-store.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import type { RunHeader } from '../../src/store/contract/run.ts';
import { defineStore } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { codeOf } from './deploys.ts';
import { diaryFaults, diaryId } from './diary.ts';
import { idleFaults } from './idle-faults.ts';
import { headerOf } from './interventions.ts';
import type { Ledger } from './ledger.ts';
import type { ChosenRun, PersonMemory } from './person.ts';
import { workloads } from './workloads.ts';

interface Judged {
  readonly raw: StoreDriver;
  readonly env: Env;
  readonly ledger: Ledger;
  readonly memory: PersonMemory;
  readonly runs: readonly ChosenRun[];
}

/** How every run ended: what a simulation with faults has to have in common with one without. */
export type Endings = ReadonlyMap<string, string>;

export interface Verdict {
  readonly endings: Endings;
  readonly violations: readonly string[];
  readonly journals: ReadonlyMap<string, readonly Entry[]>;
}

/** Looks at a store when all is quiet: how the runs ended, and whether their journals are as they have to be. */
export async function judge({ raw, env, ledger, memory, runs }: Judged): Promise<Verdict> {
  const violations: string[] = [];
  const endings = new Map<string, string>();
  const shared = defineStore(async () => withCalls(raw, { watch: () => () => {}, close: async () => {} }));
  const engine = await openEngineIn({ ...env, calls: nodeCallScope() }, shared, {
    graphs: codeOf('both'),
    executes: false,
  });
  const store = new CheckedStore(raw, env);
  const journals = new Map<string, readonly Entry[]>();
  for await (const header of allRuns(store, {})) {
    const journal = await readableJournal(store, header.runId, violations);
    if (journal === undefined) continue;
    journals.set(header.runId, journal);
    if (header.runId === diaryId) {
      violations.push(...diaryFaults(journal, memory.diary));
      continue;
    }
    violations.push(...journalFaults(header, journal), ...idleFaults(journal));
    endings.set(header.runId, hasEnded(header) ? await endingOf(engine, header) : header.status);
  }
  violations.push(...(await lostRecords(raw, ledger)));
  // A run whose end was acknowledged and is not there has no last event.
  const ended = runs.filter(({ id }) => endings.get(id)?.startsWith('{'));
  for (const { id } of ended)
    violations.push(...(await eventFaults({ engine, raw }, id, id === runs[0]?.id ? memory.read : [])));
  await engine.close();
  return { endings, violations, journals };
}

/** The records of a run. Undefined if some of them are nothing that a reader takes. */
async function readableJournal(
  store: CheckedStore,
  runId: string,
  violations: string[],
): Promise<readonly Entry[] | undefined> {
  try {
    return await store.records({ runId, order: 'oldest', limit: 1_000 });
  } catch (error) {
    violations.push(`${runId} cannot be read: ${String(error)}`);
    return undefined;
  }
}

/** What was acknowledged and is not kept, to the last letter. */
async function lostRecords(raw: StoreDriver, { acknowledged }: Ledger): Promise<readonly string[]> {
  const kept = new Set<string>();
  const floors = new Map<string, number>();
  for (const runId of new Set(acknowledged.map((each) => each.runId))) {
    const records = await raw.records({ runId, order: 'oldest', limit: 1_000 });
    floors.set(runId, (await headerOf(raw, runId))?.floor ?? 0);
    for (const { seq, text } of records) kept.add(`${runId}@${seq} ${text}`);
  }
  return acknowledged
    .filter(({ runId, seq }) => seq > (floors.get(runId) ?? 0))
    .filter(({ runId, seq, text }) => !kept.has(`${runId}@${seq} ${text}`))
    .map(({ runId, seq }) => `${runId}@${seq} was acknowledged and is not there`);
}

async function endingOf(engine: Engine, { runId, graph, superstep }: RunHeader): Promise<string> {
  const outcome = await (await engine.get(runId)).outcome();
  const { endsAs } = workloads.find(({ name }) => name === graph) ?? {};
  const ending = endsAs?.(outcome) ?? outcome;
  if (ending !== outcome) return JSON.stringify(ending);
  const error = 'error' in outcome ? `${outcome.error.code} ${outcome.error.message}` : undefined;
  return JSON.stringify({ superstep, ...outcome, error });
}

/** What must not be in a journal: gaps, a task or result twice in a step, anything of a task that is done. */
function journalFaults({ runId, head, floor, forkedAt }: RunHeader, journal: readonly Entry[]): readonly string[] {
  const faults: string[] = [];
  // A fork continues the count of its base, and what was pruned counts.
  const base = Math.max(forkedAt?.seq ?? 0, floor);
  if (base + journal.length !== head) faults.push(`${runId} has ${journal.length} records and its head is ${head}`);
  const done = new Set<string>();
  const results = new Set<string>();
  const choices = new Map<string, string>();
  let hasEnded = false;
  journal.forEach((entry, at) => {
    const where = `${runId}@${entry.seq}`;
    if (entry.seq !== base + at + 1) faults.push(`${where} stands where ${base + at + 1} has to`);
    const payload = (entry.payload ?? {}) as unknown as CallPlace & TaskPlace;
    const task = taskKey(payload);
    if (hasEnded && !['answer', 'message', 'cancel', 'note', 'turn', 'resume', 'timer'].includes(entry.kind))
      faults.push(`${where} (${entry.kind}) follows the end`);
    switch (entry.kind) {
      case 'superstep':
      case 'turn':
        done.clear();
        results.clear();
        choices.clear();
        hasEnded = false;
        break;
      case 'resume':
        results.clear();
        hasEnded = false;
        break;
      case 'run-end':
        hasEnded = true;
        break;
      case 'task':
        if (done.has(task)) faults.push(`${where}: task ${task} is done twice`);
        done.add(task);
        break;
      case 'result': {
        const call = `${task} ${callKey(callOfRecord(entry))}`;
        if (done.has(task)) faults.push(`${where}: ${call} comes after its task is done`);
        if (results.has(call)) faults.push(`${where}: ${call} has two results`);
        results.add(call);
        if (!payload.name.startsWith('chose ')) break;
        if (choices.has(task)) faults.push(`${where}: a race was won by two`);
        choices.set(task, payload.name);
        break;
      }
      default:
    }
  });
  return faults;
}

/** The events read at once, read in two goes, and read as they came are the same. */
async function eventFaults(
  { engine, raw }: { readonly engine: Engine; readonly raw: StoreDriver },
  id: string,
  seen: PersonMemory['read'],
): Promise<readonly string[]> {
  const run = await engine.get(id);
  const read = async (after: string | number): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const event of run.events({ after, until: 'idle' })) found.push(named(event));
    return found;
  };
  const all = await read(0);
  const faults: string[] = [];
  if (new Set(all).size !== all.length) faults.push(`${id} has an event twice`);
  const middle = all[Math.floor(all.length / 2)]?.split(' ')[0] ?? 0;
  const later = await read(middle);
  if (
    all.slice(all.length - later.length).join() !== later.join() ||
    later.length !== all.length - 1 - Math.floor(all.length / 2)
  )
    faults.push(`${id} has other events after ${middle}`);
  if (seen.length > 0) {
    // Whoever was behind when the run was pruned has missed what is gone.
    const floor = (await headerOf(raw, id))?.floor ?? 0;
    const before = seen.filter(({ seq }) => seq > floor).map(named);
    const rest = await read(seen.at(-1)?.cursor ?? 0);
    const both = [...before, ...rest];
    if (both.join() !== all.join()) {
      const at = both.findIndex((event, index) => event !== all[index]);
      faults.push(`${id}: a reader was given ${both[at]} where ${all[at]} stands`);
    }
  }
  return faults;
}

function named({ cursor, type }: { readonly cursor: string; readonly type: string }): string {
  return `${cursor} ${type}`;
}
