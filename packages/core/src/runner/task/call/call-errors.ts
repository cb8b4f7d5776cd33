import { issuesText, type SchemaRefusal } from '../../../channel/standard-schema.ts';
import { type HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import type { CompiledGraph, CompiledNode } from '../../../graph/compile/compiled-graph.ts';
import { tooMany } from '../../../value/bounds.ts';
import { printable } from '../../../value/printable.ts';

/** The error for a question or message that a graph does not declare. */
export function unknownName(
  graph: Pick<CompiledGraph, 'name'>,
  what: 'question' | 'message',
  name: string,
  known: readonly string[],
): HoldfastError {
  const list = known.length === 0 ? 'It has none' : `It has ${known.join(', ')}`;
  return holdfastError(
    what === 'question' ? 'HOLDFAST_UNKNOWN_QUESTION' : 'HOLDFAST_UNKNOWN_MESSAGE',
    `Graph "${graph.name}" has no ${what} named "${printable(name)}". ${list}.`,
    { details: { graph: graph.name, name, known } },
  );
}

/** The error for a value that a schema refused. */
export function badValue(what: string, name: string, { path, issues, cause }: SchemaRefusal): HoldfastError {
  return holdfastError('HOLDFAST_INVALID_VALUE', `${what} is invalid${issuesText(issues)}.`, {
    details: { name, path, issues },
    ...(cause !== undefined && { cause }),
  });
}

/** The error for a `goto` to a node that is not among the targets. */
export function invalidGoto({ name, to }: CompiledNode, target: unknown): HoldfastError {
  const targets = [...to].join(', ') || 'it has none';
  return holdfastError(
    'HOLDFAST_INVALID_GOTO',
    `Node "${name}" returned goto("${printable(String(target))}"), but that is not one of its targets (${targets}). Add it to \`to\`.`,
    { details: { node: name, target: String(target) } },
  );
}

/** The error for a run that would wait for too many things at a time. */
export function tooManyWaits(runId: string, limit: number): HoldfastError {
  return tooMany('openWaits', limit, `Run "${runId}" already waits for ${limit} things.`);
}
