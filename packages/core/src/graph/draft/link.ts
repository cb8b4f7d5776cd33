import { type Complain, quoted } from '../compile/problem.ts';

/** A connection between nodes, with names that are not resolved yet. */
export type Link =
  | { readonly type: 'edge'; readonly from: string; readonly targets: readonly string[] }
  | { readonly type: 'join'; readonly sources: readonly string[]; readonly targets: readonly string[] }
  | {
      readonly type: 'route';
      readonly from: string;
      readonly targets: readonly string[];
      readonly pick: (state: object) => unknown;
    };

/** Parses the arguments of `edge`; undefined if they connect nothing. */
export function readEdge(from: unknown, to: unknown, complain: Complain): Link | undefined {
  const sources = namesIn(from);
  const targets = namesIn(to);
  if (sources === undefined) complain(`An edge has no source. Pass the name of a node, several, or 'start'.`);
  if (targets === undefined)
    complain(`${edgeFrom(sources)} has no target. Pass the name of a node, several, or 'end'.`);
  const [source, second] = sources ?? [];
  if (source === undefined || sources === undefined || targets === undefined) return undefined;
  if (second === undefined) return { type: 'edge', from: source, targets };
  // A join that leads only to 'end' is the same as plain edges: see `connect`.
  return { type: 'join', sources, targets };
}

/** Parses the arguments of `route`; undefined if they connect nothing. */
export function readRoute(
  { from, to, pick }: { readonly from: unknown; readonly to: unknown; readonly pick: unknown },
  complain: Complain,
): Link | undefined {
  const targets = Array.isArray(to) ? namesIn(to) : undefined;
  if (typeof from !== 'string') complain(`A route has no source. Pass the name of a node, or 'start'.`);
  const route = typeof from === 'string' ? `The route from ${quoted(from)}` : 'A route';
  if (targets === undefined) complain(`${route} has no targets. Pass an array with the names of nodes, or 'end'.`);
  if (typeof pick !== 'function') complain(`${route} has no function. Pass one that picks targets by the state.`);
  if (typeof from !== 'string' || targets === undefined) return undefined;
  return { type: 'route', from, targets, pick: pick as (state: object) => unknown };
}

/** The names without duplicates; undefined if there are none, or if one is not a string. */
function namesIn(value: unknown): readonly string[] | undefined {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = names.filter((name) => typeof name === 'string');
  return texts.length === names.length && texts.length > 0 ? [...new Set(texts)] : undefined;
}

function edgeFrom(sources: readonly string[] | undefined): string {
  return sources === undefined ? 'An edge' : `The edge from ${sources.map(quoted).join(' and ')}`;
}
