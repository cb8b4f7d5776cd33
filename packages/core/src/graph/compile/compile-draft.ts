import type { Draft } from '../draft/draft.ts';
import type { CompiledGraph, CompiledMigration, CompiledNode, Join } from './compiled-graph.ts';
import { connect, exitsOf, type Wiring } from './connect.ts';
import { fingerprintOf } from './fingerprint.ts';
import { invalidGraph, type Problem, quoted } from './problem.ts';
import { leadingTo, type Reach, reachOf } from './reach.ts';

/**
 * Compiles a draft to the form that the runner executes.
 *
 * @throws HOLDFAST_INVALID_GRAPH with every problem.
 */
export function compileDraft(draft: Draft): CompiledGraph {
  const problems: Problem[] = [...draft.problems, ...duplicates(draft)];
  const wiring = connect(draft, problems);
  const reach = reachOf(wiring, draft.nodes);
  problems.push(...structureProblems(wiring, reach), ...renameProblems(draft));
  const { name, kind } = draft;
  if (problems.length > 0 || name === undefined) throw invalidGraph(kind, name, problems);
  const joins = [...wiring.joins.values()].map(
    (join): Join => ({ ...join, leadingTo: leadingTo(join, wiring, draft.nodes) }),
  );
  const joinsFrom = new Map<string, Join[]>(draft.nodes.map((node) => [node.name, []]));
  for (const join of joins) for (const source of join.sources) joinsFrom.get(source)?.push(join);
  const nodes = draft.nodes.map(
    (node): CompiledNode => ({
      ...node,
      exits: exitsOf(wiring.ways.get(node.name), joinsFrom.get(node.name)),
    }),
  );
  const structure: Omit<CompiledGraph, 'fingerprint'> = {
    name,
    ...draft.definition,
    nodes: new Map(nodes.map((node) => [node.name, node])),
    entry: exitsOf(wiring.start),
    joins,
    hasCycle: reach.hasCycle,
  };
  return { ...structure, fingerprint: fingerprintOf(structure) };
}

function duplicates({ nodes }: Draft): readonly Problem[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of nodes) (seen.has(name) ? twice : seen).add(name);
  return [...twice].map((node) => ({ node, what: 'Several nodes have this name. Rename all but one.' }));
}

function structureProblems({ start, ways, joins, leaving }: Wiring, { reachable }: Reach): readonly Problem[] {
  if (ways.size === 0) return [{ what: 'It has no nodes. Add one with .node(name, fn).' }];
  const problems: Problem[] = [];
  if (![...start.edges, ...start.routes.flatMap(({ targets }) => [...targets])].some((target) => ways.has(target)))
    problems.push({ what: "It has no start. Add .edge('start', node)." });
  for (const node of ways.keys()) {
    if (!reachable.has(node))
      problems.push({
        node,
        what: "It cannot be reached from 'start'. Add an edge, a route or a goto, or remove the node.",
      });
    if (!leaving.has(node)) problems.push({ node, what: "It leads nowhere. Add .edge(node, 'end') or another edge." });
  }
  for (const { sources, targets } of joins.values()) {
    if (sources.some((source) => reachable.has(source))) continue;
    const from = sources.map(quoted).join(' and ');
    problems.push({
      what: `The edge from ${from} to ${targets.map(quoted).join(' and ')} can never be taken: none of its sources can be reached from 'start'.`,
    });
  }
  return problems;
}

/** The targets of the last migration's renames must exist. Earlier migrations lead to versions whose code is gone. */
function renameProblems({ definition, nodes }: Draft): readonly Problem[] {
  const last: CompiledMigration | undefined = definition.migrations.get(definition.version - 1);
  if (last === undefined) return [];
  const names = new Set(nodes.map(({ name }) => name));
  const title = `The migration from version ${definition.version - 1} renames`;
  const lost = (what: string, renamed: ReadonlyMap<string, string>, has: (name: string) => boolean): Problem[] =>
    [...renamed]
      .filter(([, to]) => !has(to))
      .map(([from, to]) => ({
        what: `${title} ${quoted(from)} to ${quoted(to)}, but this version has no such ${what}.`,
      }));
  return [
    ...lost('node', last.nodes, (name) => names.has(name)),
    ...lost('question', last.asks, (name) => definition.asks.has(name)),
  ];
}
