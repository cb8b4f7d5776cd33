import { checkBySchema } from '../../channel/standard-schema.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph, CompiledNode } from '../../graph/compile/compiled-graph.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import type { Round } from '../fold/run-state.ts';
import { badValue } from './call/call-errors.ts';

/** The next round of a workflow. Its input is checked like that of a start. @throws HOLDFAST_INVALID_VALUE */
export async function nextRound({ name, input: schema }: CompiledGraph, given: unknown): Promise<Round> {
  if (schema === undefined) return {};
  const input = await checkBySchema(schema, given, (refusal) => badValue(`The input of "${name}"`, name, refusal));
  return input === undefined ? {} : { input: frozenCopy(input) };
}

/** What a workflow returned, checked by its schema if it has one. @throws HOLDFAST_INVALID_VALUE */
export async function workflowOutput({ name, outputSchema }: CompiledGraph, given: unknown): Promise<unknown> {
  if (outputSchema === undefined) return frozenCopy(given);
  return frozenCopy(
    await checkBySchema(outputSchema, given, (refusal) => badValue(`The output of "${name}"`, name, refusal)),
  );
}

/** The error for a node that returned `again()`. */
export function againInGraph({ name }: CompiledNode): HoldfastError {
  return holdfastError(
    'HOLDFAST_INVALID_VALUE',
    `Node "${name}" returned again(), which starts a workflow over. In a graph, add an edge or a goto back to the node.`,
    { details: { node: name } },
  );
}
