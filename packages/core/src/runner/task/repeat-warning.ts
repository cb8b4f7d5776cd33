import type { PreparedUpdate } from '../../channel/update/prepare-update.ts';
import { appendRule, repeatedList } from '../../channel/update/repeated-items.ts';
import type { CompiledNode } from '../../graph/compile/compiled-graph.ts';
import type { TaskHost } from './task-host.ts';

/** Nodes that a warning told of: once each is enough. */
const warnedOf = new WeakSet<CompiledNode>();

/** Warns of a node that gives a list all of its items again, which doubles them: it may be meant. */
export function warnOfRepeats({ env, graph, owned }: TaskHost, node: CompiledNode, update: PreparedUpdate): void {
  const { runId, values } = owned.state;
  const list = repeatedList(graph.channels, values, update);
  if (list === undefined || warnedOf.has(node)) return;
  warnedOf.add(node);
  env.warn(
    `Node "${node.name}" of run "${runId}" gave list "${list}" all of its items again: ${appendRule('list')}. Nothing is wrong if it was meant; this is said once per node.`,
    { runId },
  );
}
