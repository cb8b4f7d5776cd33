/** A part of a plan, as `EXPLAIN (FORMAT JSON)` says it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  /** How many rows the planner expects. */
  readonly 'Plan Rows': number;
  readonly Operation?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The part and everything below it, except what a limit cuts off. */
export function* partsOf(node: PlanNode, limit = ''): Iterable<PlanNode> {
  yield node;
  for (const each of node.Plans ?? []) if (each['Node Type'] !== limit) yield* partsOf(each, limit);
}

/** Tables with a row or more for each run. */
const large = ['runs', 'heads', 'rows', 'facets'];
/** What belongs to one run or one worker is less. */
const mostSorted = 1_000;

/** What a plan does that grows with the number of runs: it reads a whole table, or sorts more than it returns. */
export function costsOf(plan: PlanNode): readonly string[] {
  return [...partsOf(plan)].flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table = '' } = node;
    if (type === 'Seq Scan' && large.includes(table)) return [`reads all of ${table}`];
    // Expected rows of a join are a guess where arrays and recursion are in it: those of a scan are not.
    const sorted = type === 'Sort' ? [...partsOf(node, 'Limit')] : [];
    return sorted
      .filter((part) => large.includes(part['Relation Name'] ?? '') && part['Plan Rows'] > mostSorted)
      .map((part) => `sorts ${part['Plan Rows']} rows of ${part['Relation Name']}`);
  });
}
