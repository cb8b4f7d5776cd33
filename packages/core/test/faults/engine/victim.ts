import { readFileSync } from 'node:fs';
import type { Outcome } from '../../../src/engine/graph-run.ts';
import { openEngine } from '../../../src/engine/open.ts';
import type { StoreUrl } from '../../../src/engine/store-at.ts';
import { TaskRun } from '../../../src/runner/task/task-run.ts';
import { CheckedStore } from '../../../src/store/checked-store.ts';
import type { LoadedParts } from '../../../src/store/open-run.ts';
import { attend, effectLog, type LogEffect, victimGraph, victimKid } from './victim-graph.ts';

/** What the process is told. */
export interface VictimOrders {
  readonly url: StoreUrl;
  readonly effects: string;
  readonly life: number;
  /** Whether the process answers its own questions: where no other may write to the store. */
  readonly attends: boolean;
  readonly steps: number;
  readonly mutant?: string | undefined;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as VictimOrders;

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** What they are before they are broken. */
function methodsOf(store: CheckedStore): Pick<CheckedStore, 'load' | 'claim'> {
  return { load: Reflect.get(store, 'load'), claim: Reflect.get(store, 'claim') };
}

/** Nothing is left of tasks that have finished in the open super-step. */
function withoutTasks(parts: LoadedParts): LoadedParts {
  const entries = parts.entries.map((entry) => (entry.kind === 'task' ? { ...entry, kind: 'note' as const } : entry));
  return { ...parts, entries };
}

/** Breaks what the harness has to find. */
function breakIt(mutant: string | undefined, log: LogEffect): LogEffect {
  if (mutant === 'forgets results') {
    const memo = Reflect.get(TaskRun.prototype, 'memo');
    TaskRun.prototype.memo = function forgetful(made) {
      return made.place.name.startsWith('again-') ? undefined : memo.call(this, made);
    };
  }
  if (mutant === 'runs finished siblings again' && orders.life % 2 === 0) {
    const { load, claim } = methodsOf(CheckedStore.prototype);
    CheckedStore.prototype.load = async function forgetful(query, options) {
      const parts = await load.call(this, query, options);
      return parts && withoutTasks(parts);
    };
    CheckedStore.prototype.claim = async function forgetful(request) {
      const { claimed, ...rest } = await claim.call(this, request);
      return { ...rest, claimed: claimed.map((run) => ({ ...run, open: async () => withoutTasks(await run.open()) })) };
    };
  }
  if (mutant !== 'acknowledges before it is durable') return log;
  return (line) => {
    log(line);
    if (line.what === 'effect') say({ ack: line.name });
  };
}

const log = breakIt(orders.mutant, effectLog(orders.effects, orders.life));
const graph = victimGraph(log, orders.steps);
const engine = await openEngine(orders.url, { graphs: [graph, victimKid(log)], lease: 300 });
const run = await engine.start(graph, {}, { id: 'victim', maxSupersteps: 1_000 });
await engine.recover();
// What another process answers continues here too.
const stop = new AbortController();
const working = engine.work({ signal: stop.signal }).done;
say({ ready: true });

async function acknowledge(): Promise<void> {
  for await (const event of run.events()) {
    // What is replayed was acknowledged before; what comes from the journal is durable.
    if (event.type === 'step-end' && !event.replayed) say({ ack: event.step });
    if (event.type === 'node-end' && !event.replayed) say({ ack: event.task });
  }
}

const hasHappened = (key: string): boolean => readFileSync(orders.effects, 'utf8').includes(key);
const acknowledged = acknowledge();
const outcome = orders.attends ? await attend(run, hasHappened) : undefined;
await acknowledged;
const end = (outcome ?? (await run.outcome())) as Outcome;
say({ end: { status: end.status, ...('error' in end && { error: end.error.message }), state: { ...end.state } } });
stop.abort();
await working;
await engine.close();
