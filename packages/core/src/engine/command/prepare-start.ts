import type { StandardSchemaV1 } from '@standard-schema/spec';
import { checkBySchema } from '../../channel/schema.ts';
import { applyUpdates } from '../../channel/update/apply-updates.ts';
import { type PreparedUpdate, prepareInput } from '../../channel/update/prepare-update.ts';
import { stateView } from '../../channel/update/state-view.ts';
import type { FoldState } from '../../delta/cell.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { isLimit, limitRule } from '../../graph/policy.ts';
import type { Payloads, RunSettings } from '../../runner/fold/payload.ts';
import { firstFrontier } from '../../runner/plan/next-frontier.ts';
import { badValue } from '../../runner/task/task-calls.ts';
import { hashValue } from '../../value/codec/canonical.ts';
import { printable } from '../../value/printable.ts';
import type { RunOptions } from '../run.ts';

/** A validated input: an update of the channels for a graph, a value for a workflow. */
export interface PreparedInput {
  readonly update: PreparedUpdate;
  readonly input: unknown;
  readonly hash: string;
}

/** Validates the input of a run or a turn. @throws HOLDFAST_INVALID_VALUE, HOLDFAST_UNKNOWN_CHANNEL */
export async function prepareRunInput(graph: CompiledGraph, input: unknown): Promise<PreparedInput> {
  if (graph.input !== undefined) return prepareWorkflowInput(graph, graph.input, input);
  const update = await prepareInput(graph.channels, input);
  return { update, input: undefined, hash: hashValue(update) };
}

async function prepareWorkflowInput(
  graph: CompiledGraph,
  schema: StandardSchemaV1,
  input: unknown,
): Promise<PreparedInput> {
  const value = await checkBySchema(schema, input, (refusal) =>
    badValue(`The input of "${graph.name}"`, graph.name, refusal),
  );
  return { update: {}, input: value, hash: hashValue(value) };
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
  const { maxSupersteps, pauseBefore, pauseAfter } = options;
  if (maxSupersteps !== undefined && !isLimit(maxSupersteps)) {
    throw invalid('maxSupersteps', `maxSupersteps ${limitRule}.`);
  }
  for (const [option, names] of [
    ['pauseBefore', pauseBefore],
    ['pauseAfter', pauseAfter],
  ] as const) {
    const unknown = names?.find((name) => !graph.nodes.has(name));
    if (unknown === undefined) continue;
    const known = [...graph.nodes.keys()].join(', ');
    throw invalid(
      option,
      `${option} has "${printable(unknown)}", which is not a node of "${graph.name}". The nodes are ${known}.`,
    );
  }
  if (maxSupersteps === undefined && pauseBefore === undefined && pauseAfter === undefined) return undefined;
  return {
    ...(maxSupersteps !== undefined && { maxSupersteps }),
    ...(pauseBefore !== undefined && { pauseBefore: [...pauseBefore] }),
    ...(pauseAfter !== undefined && { pauseAfter: [...pauseAfter] }),
  };
}

function invalid(option: string, message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message, { details: { option } });
}
