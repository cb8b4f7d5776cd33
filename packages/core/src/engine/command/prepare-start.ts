import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../../async/awaitable.ts';
import { checkBySchema } from '../../channel/standard-schema.ts';
import { applyUpdates } from '../../channel/update/apply-updates.ts';
import { type PreparedUpdate, prepareInput } from '../../channel/update/prepare-update.ts';
import { stateView } from '../../channel/update/state-view.ts';
import type { FoldState } from '../../delta/cell.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { isLimit, limitRule } from '../../graph/policy.ts';
import type { Payloads, RunSettings } from '../../runner/fold/payload.ts';
import { firstFrontier } from '../../runner/plan/next-frontier.ts';
import { badValue } from '../../runner/task/call/call-errors.ts';
import { durationMs } from '../../time/duration.ts';
import { invalidOption } from '../../value/check/check-options.ts';
import { hashValue } from '../../value/codec/canonical.ts';
import { printable } from '../../value/printable.ts';
import type { RunOptions } from '../graph-run.ts';

/** A validated input: an update of the channels for a graph, a value for a workflow. */
export interface PreparedInput {
  readonly update: PreparedUpdate;
  readonly input: unknown;
  readonly hash: string;
}

/** Validates the input of a run or a turn. @throws HOLDFAST_INVALID_VALUE, HOLDFAST_UNKNOWN_CHANNEL */
export function prepareRunInput(graph: CompiledGraph, input: unknown): Awaitable<PreparedInput> {
  if (graph.input !== undefined) return prepareWorkflowInput(graph, graph.input, input);
  const checked = prepareInput(graph.channels, input);
  return checked instanceof Promise ? checked.then(updateInput) : updateInput(checked);
}

function updateInput(update: PreparedUpdate): PreparedInput {
  return { update, input: undefined, hash: hashValue(update) };
}

function valueInput(value: unknown): PreparedInput {
  return { update: {}, input: value, hash: hashValue(value) };
}

function prepareWorkflowInput(
  { name }: CompiledGraph,
  schema: StandardSchemaV1,
  input: unknown,
): Awaitable<PreparedInput> {
  const checked = checkBySchema(schema, input, (refusal) => badValue(`The input of "${name}"`, name, refusal));
  return checked instanceof Promise ? checked.then(valueInput) : valueInput(checked);
}

/** What is known of a run before its first record. */
interface StartOptions {
  readonly graph: CompiledGraph;
  readonly prepared: PreparedInput;
  readonly turn?: string | undefined;
  readonly settings?: RunSettings | undefined;
  readonly wakes?: string | undefined;
}

/** The first record of a run, and the state of its channels after it. */
export function startPayload({ graph, prepared, turn, settings, wakes }: StartOptions): {
  readonly payload: Payloads['run-start'];
  readonly values: FoldState;
} {
  const { name, version, fingerprint, channels } = graph;
  const { update, input, hash } = prepared;
  const applied = applyUpdates(channels, new Map(), [update]);
  const { next } = firstFrontier(graph, () => stateView(channels, applied.state));
  const payload = {
    graph: name,
    version,
    fingerprint,
    hash,
    next,
    ...(turn !== undefined && { turn }),
    ...(input !== undefined && { input }),
    ...(applied.isChanged && { delta: applied.delta }),
    ...(settings !== undefined && { settings }),
    ...(wakes !== undefined && { wakes }),
  };
  return { payload, values: applied.state };
}

/** The options of a start that the run keeps. @throws HOLDFAST_INVALID_OPTION */
export function runSettings(graph: CompiledGraph, options: RunOptions): RunSettings | undefined {
  const { maxSupersteps, timeout, pauseBefore, pauseAfter } = options;
  checkMaxSupersteps(maxSupersteps);
  for (const [option, names] of [
    ['pauseBefore', pauseBefore],
    ['pauseAfter', pauseAfter],
  ] as const) {
    const unknown = names?.find((name) => !graph.nodes.has(name));
    if (unknown === undefined) continue;
    const known = [...graph.nodes.keys()].join(', ');
    throw invalidOption(
      option,
      `${option} has "${printable(unknown)}", which is not a node of "${graph.name}". The nodes are ${known}.`,
    );
  }
  const given = [maxSupersteps, timeout, pauseBefore, pauseAfter];
  if (given.every((each) => each === undefined)) return undefined;
  return {
    ...(maxSupersteps !== undefined && { maxSupersteps }),
    ...(timeout !== undefined && { timeoutMs: Math.round(durationMs(timeout, 'timeout')) }),
    ...(pauseBefore !== undefined && { pauseBefore: [...pauseBefore] }),
    ...(pauseAfter !== undefined && { pauseAfter: [...pauseAfter] }),
  };
}

/** @throws HOLDFAST_INVALID_OPTION */
export function checkMaxSupersteps(given: number | undefined): void {
  if (given === undefined || isLimit(given)) return;
  throw invalidOption('maxSupersteps', `maxSupersteps ${limitRule}.`);
}
