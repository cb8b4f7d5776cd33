import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { messagesNamed } from '../fold/call/call-names.ts';
import type { RunState } from '../fold/run-state.ts';

/**
 * What a run needs to continue but the graph lacks: migrations from its version, nodes to run or to pause at, joins that
 * have begun, questions and messages that it waits for, channels.
 */
export function missingParts(graph: CompiledGraph, state: RunState): readonly string[] {
  const missing = new Set<string>();
  if (state.version > graph.version) missing.add(`version ${state.version}`);
  for (let version = state.version; version < graph.version; version += 1) {
    if (!graph.migrations.has(version)) missing.add(`migration of version ${version}`);
  }
  if (state.end === undefined || state.end.status === 'failed') {
    for (const part of missingNext(graph, state)) missing.add(part);
  }
  const channels = [...state.values.keys(), ...state.turns.flatMap(({ update }) => Object.keys(update))];
  for (const channel of channels) if (!graph.channels.has(channel)) missing.add(`channel ${channel}`);
  return [...missing];
}

function* missingNext(graph: CompiledGraph, state: RunState): Generator<string> {
  const { pauseBefore = [], pauseAfter = [] } = state.settings;
  // A pause that is dropped silently is worse than a run that does not continue.
  for (const node of [...state.frontier, ...pauseBefore, ...pauseAfter]) {
    if (!graph.nodes.has(node)) yield `node ${node}`;
  }
  const joins = new Set(graph.joins.map(({ key }) => key));
  for (const key of state.joins.keys()) if (!joins.has(key)) yield `join ${key}`;
  for (const { kind, place } of state.waits.values()) {
    if (kind === 'ask' && !graph.asks.has(place.name)) yield `question ${place.name}`;
    if (kind !== 'receive') continue;
    for (const name of messagesNamed(place.name)) if (!graph.receives.has(name)) yield `message ${name}`;
  }
}
