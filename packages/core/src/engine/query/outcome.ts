import { stateView } from '../../channel/update/state-view.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { snapshotBody } from '../../history/snapshot-body.ts';
import { innerGraph } from '../../runner/fold/payload.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import { reviveError } from '../../runner/fold/stored-error.ts';
import { loadRun } from '../../runner/load-run.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { privateCopy } from '../../value/frozen/private-copy.ts';
import type { Outcome, Wait } from '../graph-run.ts';
import { isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { publicWait, publicWaits } from './public-wait.ts';
import { hasEnded } from './run-summary.ts';

/** The state of a run as users see it. Without the code, the state as the journal has it. */
export function stateOf({ values }: RunState, graph: CompiledGraph | undefined): Readonly<Record<string, unknown>> {
  return graph === undefined ? Object.freeze(snapshotBody(values).values) : stateView(graph.channels, values);
}

/** The result of a run: a workflow's output, a graph's state, or what it makes of its state. */
export function outputOf(state: RunState, graph: CompiledGraph | undefined): unknown {
  const given = state.end?.output;
  if (given !== undefined) return given;
  // Without the code, a run with channels belongs to a graph: workflows have none.
  const isWorkflow = graph === undefined ? state.values.size === 0 : graph.input !== undefined;
  if (isWorkflow) return undefined;
  const shown = stateOf(state, graph);
  return graph?.output === undefined ? shown : frozenCopy(graph.output(shown));
}

/** The same for a caller. It is the caller's own, unless it is the state. */
function ownOutput(state: RunState, graph: CompiledGraph | undefined): unknown {
  const output = outputOf(state, graph);
  return state.end?.output === undefined && graph?.output === undefined ? output : privateCopy(output);
}

/**
 * Whether a run has ended or needs input: an answer, a message, a settled effect, a resume. Sleeps and backoffs end by
 * themselves, and so may a child. `onChild` is called with each child that the result depends on, before it is read.
 * `seen` ends the walk in a store whose runs wait for each other.
 */
export async function isIdle(
  parts: Pick<EngineParts, 'store' | 'env'>,
  header: RunHeader,
  onChild: (child: string) => void,
  seen: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const { runId, status, waits, wakeAt } = header;
  if (hasEnded(header) || isSuspended(header)) return true;
  if (status !== 'waiting' || waits.length === 0) return false;
  if (wakeAt !== null && wakeAt <= parts.env.clock.now()) return false;
  if (waits.some(({ kind }) => kind === 'sleep')) return false;
  const firstDeadline = Math.min(...waits.map(({ until }) => until ?? Number.POSITIVE_INFINITY));
  // It wakes before all of its deadlines, so it retries something.
  if (wakeAt !== null && wakeAt < firstDeadline) return false;
  const above = new Set([...seen, runId]);
  for (const { kind, id } of waits) {
    if (kind !== 'child' || above.has(id)) continue;
    onChild(id);
    const child = await parts.store.header(id);
    if (child === undefined || hasEnded(child) || !(await isIdle(parts, child, onChild, above))) return false;
  }
  return true;
}

/** A run, and its code if available. */
export interface StandingRun {
  readonly state: RunState;
  readonly graph: CompiledGraph | undefined;
  /** No worker executes it until it is resumed or answered. */
  readonly suspended?: boolean | undefined;
}

/** The run of a header. `left` is the run as this process left it: it saves a read if nobody has written since. */
export async function standingRun(
  { store, registry }: Pick<EngineParts, 'store' | 'registry'>,
  header: RunHeader,
  left?: RunState,
): Promise<StandingRun> {
  const state = left?.head === header.head ? left : (await loadRun(store, header)).state;
  return { state, graph: registry.find(state), suspended: isSuspended(header) };
}

/** The outcome of a run so far. */
export async function outcomeOf(store: CheckedStore, { state, graph, suspended }: StandingRun): Promise<Outcome> {
  const shown = stateOf(state, graph);
  if (suspended === true) return { status: 'suspended', state: shown };
  const { end } = state;
  switch (end?.status) {
    case 'completed':
      return { status: 'completed', state: shown, output: ownOutput(state, graph) };
    case 'failed':
      return { status: 'failed', state: shown, error: failureOf(state) };
    case 'cancelled':
      return { status: 'cancelled', state: shown, reason: end.reason };
    default:
      return { status: 'waiting', state: shown, waits: await waitsOf(store, state) };
  }
}

/** The error that a run failed with. */
export function failureOf({ end }: RunState): HoldfastError {
  return reviveError(end?.error ?? { name: 'Error', message: 'The run failed.' }) as HoldfastError;
}

/** The waits of a run, including the questions of its inner graphs. */
async function waitsOf(
  store: CheckedStore,
  state: RunState,
  { prefix = '', above = [] }: { readonly prefix?: string; readonly above?: readonly string[] } = {},
): Promise<readonly Wait[]> {
  if (state.paused !== undefined) return [publicWait(state, state.paused)];
  const waits: Wait[] = [];
  for (const wait of state.waits.values()) {
    const { child, place } = wait;
    const isInner = place.name === innerGraph && child !== undefined && child !== state.runId && !above.includes(child);
    const inner = isInner ? await store.header(child) : undefined;
    const below = { prefix: `${prefix}${place.node}/`, above: [...above, state.runId] };
    if (inner === undefined) waits.push(...publicWaits(state, wait, prefix));
    else waits.push(...(await waitsOf(store, (await loadRun(store, inner)).state, below)));
  }
  return waits;
}
