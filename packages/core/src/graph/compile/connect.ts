import { joinKey } from '../../value/join-key.ts';
import type { Draft } from '../draft/draft.ts';
import type { Link } from '../draft/link.ts';
import type { Exits, Join, Route } from './compiled-graph.ts';
import { type Problem, quoted } from './problem.ts';

/** A join before reachability is known. */
export type PlainJoin = Omit<Join, 'leadingTo'>;

/** The connections of a node, or of the start. */
export interface Ways {
  readonly edges: Set<string>;
  readonly routes: Route[];
}

/** The connections of a graph, with every name resolved. */
export interface Wiring {
  readonly start: Ways;
  /** For every node, in declaration order. */
  readonly ways: ReadonlyMap<string, Ways>;
  /** By key, in declaration order. */
  readonly joins: ReadonlyMap<string, PlainJoin>;
  /** The nodes that lead somewhere, even if only to an unknown name. */
  readonly leaving: ReadonlySet<string>;
}

/** Connects the nodes of a draft and reports every unknown name. */
export function connect(draft: Draft, problems: Problem[]): Wiring {
  const start: Ways = { edges: new Set(), routes: [] };
  const ways = new Map<string, Ways>(draft.nodes.map(({ name }) => [name, { edges: new Set(), routes: [] }]));
  const joins = new Map<string, PlainJoin>();
  const leaving = new Set(draft.nodes.flatMap(({ name, to }) => (to.size > 0 ? [name] : [])));
  for (const link of draft.links) {
    const sources = link.type === 'join' ? link.sources : [link.from];
    const known = sources.filter((source) => isSource(source, { link, ways, problems }));
    for (const source of known) leaving.add(source);
    const targets = link.targets.filter((target) => isTarget(target, { link, ways, problems }));
    if (link.type === 'join' && targets.some((target) => target !== 'end')) {
      addJoin(
        joins,
        known,
        targets.filter((target) => target !== 'end'),
      );
      continue;
    }
    // A join that leads only to 'end' is the same as plain edges, because 'end' starts nothing.
    for (const source of known) {
      const way = source === 'start' ? start : (ways.get(source) as Ways);
      if (link.type === 'route') way.routes.push({ targets: new Set(targets), pick: link.pick });
      else for (const target of targets) way.edges.add(target);
    }
  }
  for (const { name, to } of draft.nodes) {
    for (const target of to) {
      if (target !== 'end' && !ways.has(target)) problems.push({ node: name, what: `"to" names ${noNode(target)}` });
    }
  }
  return { start, ways, joins, leaving };
}

/** The targets of a node, or of the start, without a goto. */
export function exitsOf(ways: Ways | undefined, joins: readonly Join[] = []): Exits {
  return { edges: [...(ways?.edges ?? [])], routes: ways?.routes ?? [], joins };
}

interface Lookup {
  readonly link: Link;
  readonly ways: ReadonlyMap<string, Ways>;
  readonly problems: Problem[];
}

function isSource(name: string, { link, ways, problems }: Lookup): boolean {
  if (ways.has(name) || (name === 'start' && link.type !== 'join')) return true;
  const what =
    name === 'start'
      ? `An edge from several nodes includes 'start'. Remove it: every node runs after the start.`
      : name === 'end'
        ? `${titleOf(link)} starts at 'end', where the run is over. Name a node instead.`
        : `${titleOf(link)} starts at ${noNode(name)}`;
  problems.push({ what });
  return false;
}

function isTarget(name: string, { link, ways, problems }: Lookup): boolean {
  if (name === 'end' || ways.has(name)) return true;
  const what =
    name === 'start'
      ? `${titleOf(link)} leads to 'start', which is not a node. Name the node to continue with.`
      : `${titleOf(link)} leads to ${noNode(name)}`;
  const [node] = link.type === 'join' ? [] : [link.from];
  problems.push(node !== undefined && ways.has(node) ? { node, what } : { what });
  return false;
}

function noNode(name: string): string {
  return `${quoted(name)}, which is not a node. Correct the name, or add the node.`;
}

function titleOf(link: Link): string {
  if (link.type === 'join') return `The edge from ${link.sources.map(quoted).join(' and ')}`;
  return `The ${link.type} from ${quoted(link.from)}`;
}

function addJoin(joins: Map<string, PlainJoin>, sources: readonly string[], targets: readonly string[]): void {
  const key = joinKey(sources, targets);
  if (!joins.has(key)) joins.set(key, { key, sources, targets });
}
