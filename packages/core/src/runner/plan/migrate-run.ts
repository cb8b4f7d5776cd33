import { applyUpdates } from '../../channel/update/apply-updates.ts';
import { prepareValues } from '../../channel/update/prepare-update.ts';
import { type FoldState, readCell } from '../../delta/cell.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph, CompiledMigration } from '../../graph/compile/compiled-graph.ts';
import { snapshotBody } from '../../history/snapshot-body.ts';
import type { NewEntry } from '../../record/record.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { askNames, chainedNames, chainedSteps, type Renames } from '../fold/fold-migrate.ts';
import type { KeptAnswer, RunState } from '../fold/run-state.ts';
import { storeError } from '../fold/stored-error.ts';

/** The records that migrate a run, for one commit, and the channels after them. */
export interface Migrating {
  readonly entries: readonly NewEntry[];
  readonly values: FoldState;
}

type Values = Readonly<Record<string, unknown>>;

/** The migrations from a version to the graph's. Undefined if one is missing. */
export function migrationsFrom(graph: CompiledGraph, version: number): readonly CompiledMigration[] | undefined {
  const steps: CompiledMigration[] = [];
  for (let at = version; at < graph.version; at += 1) {
    const step = graph.migrations.get(at);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

/** What the graph's migrations rename in a run of this version. */
export function renamesFrom(graph: CompiledGraph, version: number): Renames {
  const none: Renames = { nodes: new Map(), asks: new Map(), steps: new Map() };
  return (migrationsFrom(graph, version) ?? []).reduce(
    (before, { nodes, asks, steps }) => ({
      nodes: chainedNames(before.nodes, nodes),
      asks: chainedNames(before.asks, asks),
      steps: chainedSteps(before.steps, steps),
    }),
    none,
  );
}

/**
 * The present names of the messages that migrations have renamed, by each of their former names, on top of those that the
 * run knows. A name that the graph still has, or has again, means that message.
 */
export function formerMessages(
  { migrations, receives, version }: CompiledGraph,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string | null>(known);
  for (let at = 1; at < version; at += 1) {
    const steps = migrations.get(at)?.steps;
    if (steps === undefined) continue;
    for (const [former, name] of names) if (name !== null) names.set(former, renamed(steps, name));
    for (const [from, to] of steps) names.set(from, to);
  }
  const isKept = ([former, name]: [string, string | null]): boolean =>
    name !== null && receives.has(name) && !receives.has(former);
  return new Map([...names].filter(isKept) as [string, string][]);
}

function renamed(steps: Renames['steps'], name: string): string | null {
  const to = steps.get(name);
  return to === undefined ? name : to;
}

/** Migrates a run to the graph's version by these migrations. Calls user code, and throws what that throws. */
export async function migrateRun(
  graph: CompiledGraph,
  state: RunState,
  { steps, at }: { readonly steps: readonly CompiledMigration[]; readonly at: number },
): Promise<Migrating> {
  const migrated = steps.reduce<Values>((values, step) => stateFrom(step, values), plainValues(state.values));
  const prepared = await prepareValues(graph.channels, migrated);
  const { state: values } = applyUpdates(graph.channels, new Map(), [prepared]);
  const renames = renamesFrom(graph, state.version);
  const messages = formerMessages(graph, state.renamedMessages);
  const payload = {
    version: graph.version,
    fingerprint: graph.fingerprint,
    state: plainValues(values),
    nodes: Object.fromEntries(renames.nodes),
    asks: Object.fromEntries(renames.asks),
    ...(renames.steps.size > 0 && { steps: Object.fromEntries(renames.steps) }),
    ...(messages.size > 0 && { messages: Object.fromEntries(messages) }),
  };
  const refusals = lateAnswers(state, askNames(renames)).map((kept) => refusal(state.runId, kept, at));
  return { entries: [...refusals, { kind: 'migrate', at, payload }], values };
}

/** A promise or another object without channels would empty the state. */
function stateFrom(step: CompiledMigration, old: Values): Values {
  const values: unknown = step.state(old);
  if (isPlainObject(values)) return values;
  throw holdfastError('HOLDFAST_INVALID_VALUE', 'A migration must return the new state as an object.', {
    details: { path: '' },
  });
}

function plainValues(values: FoldState): Values {
  return snapshotBody(new Map([...values].filter(([, cell]) => readCell(cell) !== undefined))).values;
}

interface LateAnswer extends KeptAnswer {
  readonly name: string;
}

/**
 * Answers that were kept under two names which become one, or under the new name of a question that was already asked
 * under its old one. They must not answer the next question of that name.
 */
function lateAnswers(state: RunState, rename: (name: string) => string): readonly LateAnswer[] {
  const isOpen = (name: string): boolean =>
    [...state.waits.values()].some(({ kind, place }) => kind === 'ask' && rename(place.name) === name);
  const wasAsked = (name: string): boolean =>
    [...state.asked.keys()].some((before) => before !== name && rename(before) === rename(name));
  const seen = new Set<string>();
  const late: LateAnswer[] = [];
  for (const [name, kept] of [...state.answers].toSorted(([, a], [, b]) => a.seq - b.seq)) {
    const now = rename(name);
    if (seen.has(now) || (wasAsked(name) && !isOpen(now))) late.push({ name, ...kept });
    seen.add(now);
  }
  return late;
}

function refusal(runId: string, { name, seq }: LateAnswer, at: number): NewEntry {
  const error = holdfastError(
    'HOLDFAST_ALREADY_ANSWERED',
    `Question "${name}" of run "${runId}" was asked under its old name, before a migration renamed it, and is no longer open.`,
    { details: { runId, name } },
  );
  return { kind: 'answer', at, payload: { wait: '', of: seq, refused: storeError(error) } };
}
