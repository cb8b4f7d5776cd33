import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { RunState } from '../fold/run-state.ts';

/**
 * What a run needs to continue but the graph lacks: migrations from its version, nodes to run, questions and messages
 * that it waits for, channels.
 */
export function missingParts(graph: CompiledGraph, state: RunState): readonly string[] {
  if (state.fingerprint === graph.fingerprint && state.version === graph.version) return [];
  const missing = new Set<string>();
  if (state.version > graph.version) missing.add(`version ${state.version}`);
  for (let version = state.version; version < graph.version; version += 1) {
    if (!graph.migrations.has(version)) missing.add(`migration of version ${version}`);
  }
  if (state.end === undefined || state.end.status === 'failed') {
    for (const node of state.frontier) if (!graph.nodes.has(node)) missing.add(`node ${node}`);
    for (const { kind, place } of state.waits.values()) {
      if (kind === 'ask' && !graph.asks.has(place.name)) missing.add(`question ${place.name}`);
      if (kind === 'receive' && !graph.receives.has(place.name)) missing.add(`message ${place.name}`);
    }
  }
  for (const channel of state.values.keys()) if (!graph.channels.has(channel)) missing.add(`channel ${channel}`);
  return [...missing];
}
