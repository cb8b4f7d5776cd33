import type { RunsQuery } from '../../contract/read.ts';
import { type Facet, facetValues } from '../../table/facets.ts';
import { statesOf } from '../../table/table-run.ts';
import type { Session } from '../connection/database.ts';
import { runJoin, runJson } from './run-row.ts';

/** Past every text that begins with the same characters: nothing sorts after the last character there is. */
const lastCharacter = '\u{10ffff}';

/** A run's place in the order of creation, and both its rows, not read yet: they may be corrupt. */
export interface ListedRun {
  readonly createdAt: number;
  readonly runId: string;
  readonly json: unknown;
}

/** Some of the runs that a query can be about, in the order of creation, as one index has them. */
interface List {
  readonly from: string;
  readonly createdAt: string;
  readonly run: string;
  readonly where: readonly string[];
}

/** Collects the values of a statement. */
class Values {
  readonly all: unknown[] = [];

  /** The parameter that stands for the value. */
  add(value: unknown, type = 'text'): string {
    this.all.push(value);
    return `$${this.all.length}::${type}`;
  }
}

/** A page of the runs that meet a query. Each list is read by its index from the end of the page before. */
export async function listRuns(session: Session, query: RunsQuery): Promise<readonly ListedRun[]> {
  const values = new Values();
  const { order, after, limit } = query;
  const [past, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const count = values.add(limit, 'int');
  const page = after && [values.add(after.createdAt, 'float8'), values.add(after.runId)];
  const conditions = conditionsOf(query, values);
  const selects = listsOf(query, values).map(({ from, createdAt, run, where }) => {
    const keyset = page === undefined ? [] : [`(${createdAt}, ${run}) ${past} (${page.join(', ')})`];
    const all = [...where, ...conditions, ...keyset].join(' AND ');
    return `(SELECT ${createdAt} AS created_at, ${run} AS run, r.key FROM ${from} WHERE ${all}
      ORDER BY ${createdAt} ${direction}, ${run} ${direction} LIMIT ${count})`;
  });
  const places = `SELECT * FROM (${selects.join(' UNION ALL ')}) AS lists
    ORDER BY created_at ${direction}, run ${direction} LIMIT ${count}`;
  const sql = `SELECT p.created_at, p.run, ${runJson} FROM (${places}) p JOIN @runs r ON r.key = p.key ${runJoin}
    ORDER BY p.created_at ${direction}, p.run ${direction}`;
  const rows = await session.rows(sql, values.all);
  return rows.map(([createdAt, runId, json]) => ({ createdAt: Number(createdAt), runId: runId as string, json }));
}

/** The lists to merge: those of the first filter that narrows, or all runs of the states in question. */
function listsOf(query: RunsQuery, values: Values): readonly List[] {
  const { forkOf, parentId, worker, node, idPrefix = '' } = query;
  const [facet] = facetsAsked(query);
  if (forkOf !== undefined) return [byRow(`r.base = (SELECT b.key FROM @runs b WHERE b.run = ${values.add(forkOf)})`)];
  if (parentId !== undefined) return [byRow(`r.parent = ${values.add(parentId)}`)];
  if (worker !== undefined) return [byRow(`r.worker = ${values.add(worker)}`)];
  if (facet !== undefined) return [byFacet(facet, values)];
  // The frontiers of leased runs are no facets.
  if (node !== undefined)
    return [byFacet({ type: 'node', name: node, value: '' }, values), byRow('r.worker IS NOT NULL')];
  if (idPrefix !== '') return [byRow(prefixed(idPrefix, values))];
  return wideLists(query, values);
}

function byRow(...where: readonly string[]): List {
  return { from: `@runs r ${runJoin}`, createdAt: 'r.created_at', run: 'r.run', where };
}

function byFacet(facet: Facet, values: Values): List {
  const [type, name, value] = facetValues(facet);
  return {
    from: `@facets f JOIN @runs r ON r.key = f.key ${runJoin}`,
    createdAt: 'f.created_at',
    run: 'f.run',
    where: [`f.type = ${values.add(type, 'int')}`, `f.name = ${values.add(name)}`, `f.value = ${values.add(value)}`],
  };
}

/** No run is changed before its creation, but where a clock was set back. */
function wideLists(query: RunsQuery, values: Values): readonly List[] {
  const { graph, updatedBefore } = query;
  const ofGraph = graph === undefined ? [] : [`r.graph = ${values.add(graph)}`];
  const lists = statesOf(query).map((state) => [...ofGraph, `r.state = ${values.add(state, 'int')}`]);
  if (updatedBefore === undefined) return lists.map((where) => byRow(...where));
  const created = `r.early = 0 AND r.created_at < ${values.add(updatedBefore, 'float8')}`;
  return [...lists.map((where) => byRow(...where, created)), byRow('r.early = 1')];
}

/** All conditions of a query on `runs r` and `heads h`, but for its place in the order. */
function conditionsOf(query: RunsQuery, values: Values): readonly string[] {
  const { graph, node, parentId, forkOf, worker, idPrefix = '', updatedBefore } = query;
  const found = [`r.state = ANY(${values.add(statesOf(query), 'int[]')})`];
  if (graph !== undefined) found.push(`r.graph = ${values.add(graph)}`);
  if (parentId !== undefined) found.push(`r.parent = ${values.add(parentId)}`);
  if (forkOf !== undefined) found.push(`r.base_run = ${values.add(forkOf)}`);
  if (worker !== undefined) found.push(`r.worker = ${values.add(worker)}`);
  if (idPrefix !== '') found.push(prefixed(idPrefix, values));
  if (updatedBefore !== undefined) found.push(`h.updated_at < ${values.add(updatedBefore, 'float8')}`);
  for (const facet of facetsAsked(query).filter((each) => !leads(query, each))) found.push(hasFacet(facet, values));
  // Finds a piece of text: the reader looks at the frontier itself.
  if (node !== undefined) found.push(`strpos(h.frontier, ${values.add(JSON.stringify(node))}) > 0`);
  return found;
}

/** The tags and the kind of wait that a run has to have. */
function facetsAsked({ tags = {}, waits }: RunsQuery): readonly Facet[] {
  const facets = Object.entries(tags).map(([name, value]): Facet => ({ type: 'tag', name, value }));
  return waits === undefined ? facets : [...facets, { type: 'wait', name: waits, value: '' }];
}

/** Whether the list that is read is that of this facet. A condition too many would mislead the planner. */
function leads(query: RunsQuery, { type, name }: Facet): boolean {
  const [first] = facetsAsked(query);
  const isNarrow = query.forkOf !== undefined || query.parentId !== undefined || query.worker !== undefined;
  return !isNarrow && first?.type === type && first.name === name;
}

function hasFacet(facet: Facet, values: Values): string {
  const [type, name, value] = facetValues(facet);
  return `EXISTS (SELECT 1 FROM @facets e WHERE e.type = ${values.add(type, 'int')} AND e.name = ${values.add(name)}
    AND e.value = ${values.add(value)} AND e.created_at = r.created_at AND e.run = r.run)`;
}

function prefixed(idPrefix: string, values: Values): string {
  return `r.run >= ${values.add(idPrefix)} AND r.run < ${values.add(idPrefix + lastCharacter)}`;
}
