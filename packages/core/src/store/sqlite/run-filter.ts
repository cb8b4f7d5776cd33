import type { RunsQuery } from '../contract/read.ts';
import type { SqliteValue } from './database.ts';
import { earlyBit, encodeStatus, hiddenBit, idleBit, isHidden, statusOf } from './run-state.ts';
import { kindBit } from './wait-kinds.ts';

/** A condition and what is bound in it. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqliteValue[];
}

/** Past every text that begins with the same characters: nothing sorts after the last character there is. */
const lastCharacter = '\u{10ffff}';

/** Ids with a prefix as a range, in which no character means anything but itself. */
export function prefixRange(prefix: string): Condition {
  return { sql: 'r.run >= ? AND r.run < ?', values: [prefix, prefix + lastCharacter] };
}

/** Whether a state can be that of a run which the query is about. */
export function admits(query: RunsQuery, state: number): boolean {
  if ((hiddenOf(query) ?? isHidden(state)) !== isHidden(state)) return false;
  if (query.node !== undefined && (state & idleBit) !== 0) return false;
  return query.status?.includes(statusOf(state)) ?? true;
}

/** Undefined where both are meant. */
function hiddenOf({ hidden, runId }: RunsQuery): boolean | undefined {
  return hidden ?? (runId === undefined ? false : undefined);
}

/** What a run of such a state can at most have been created at: nobody changes it before, but for a clock set back. */
export function createdBefore({ updatedBefore }: RunsQuery, state: number): number | undefined {
  return (state & earlyBit) === 0 ? updatedBefore : undefined;
}

/** All conditions of a query on `runs r` and `heads h`, but for its place in the order. */
export function conditionsOf(query: RunsQuery): readonly Condition[] {
  return [...headConditions(query), ...rowConditions(query)];
}

function rowConditions(query: RunsQuery): readonly Condition[] {
  const { runId, status, graph, waits, tags, parentId, forkOf: baseRun, idPrefix } = query;
  const hidden = hiddenOf(query);
  const found: Condition[] = [];
  const add = (sql: string, ...values: SqliteValue[]): number => found.push({ sql, values });
  if (runId !== undefined) add('r.run = ?', runId);
  if (hidden !== undefined) add(`(r.state & ${hiddenBit}) = ?`, hidden ? hiddenBit : 0);
  if (status !== undefined) {
    add(`(r.state & 7) IN (${status.map(() => '?').join(', ')})`, ...status.map(encodeStatus));
  }
  if (graph !== undefined) add('r.graph = (SELECT key FROM graphs WHERE name = ?)', graph);
  if (waits !== undefined) add(`(r.kinds & ?) <> 0`, kindBit(waits));
  if (parentId !== undefined) add('r.parent = ?', parentId);
  if (baseRun !== undefined) add('r.base = (SELECT key FROM runs WHERE run = ?)', baseRun);
  if (idPrefix !== undefined && idPrefix !== '') found.push(prefixRange(idPrefix));
  for (const [name, value] of Object.entries(tags ?? {})) {
    add(
      'EXISTS (SELECT 1 FROM tags WHERE name = ? AND value = ? AND createdAt = r.createdAt AND run = r.key)',
      name,
      value,
    );
  }
  return found;
}

function headConditions({ node, updatedBefore }: RunsQuery): readonly Condition[] {
  const found: Condition[] = [];
  if (updatedBefore !== undefined) found.push({ sql: 'r.createdAt + h.age < ?', values: [updatedBefore] });
  if (node !== undefined) {
    // The search for a piece of text is quick and passes most by; what is left is looked at as JSON.
    found.push({ sql: 'instr(h.frontier, ?) > 0', values: [JSON.stringify(node)] });
    // What is no JSON is corrupt; whoever reads the run is told so.
    const isThere = 'EXISTS (SELECT 1 FROM json_each(h.frontier) WHERE value = ?)';
    found.push({ sql: `CASE WHEN json_valid(h.frontier) THEN ${isThere} ELSE TRUE END`, values: [node] });
  }
  return found;
}

/** A place in the order of creation, and the columns that it is told by. */
interface OrderPlace {
  readonly order: RunsQuery['order'];
  readonly columns: readonly [createdAt: string, next: string];
  readonly after: readonly [createdAt: number, next: string | number];
}

/** The part of the order past a place. */
export function pastPlace({ order, columns: [createdAt, next], after }: OrderPlace): readonly Condition[] {
  const past = order === 'oldest' ? '>' : '<';
  return [
    { sql: `${createdAt} ${past}= ?`, values: [after[0]] },
    { sql: `(${createdAt} ${past} ? OR ${next} ${past} ?)`, values: after },
  ];
}
