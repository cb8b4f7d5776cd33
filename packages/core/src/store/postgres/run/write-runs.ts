import type { StoredId, StoredSnapshot } from '../../contract/commit.ts';
import { type Facet, facetChange, facetValues } from '../../table/facets.ts';
import type { Session } from '../connection/database.ts';
import { type PackedRow, sumOfPlace } from './packed-row.ts';
import { cellsOf, type HeadRow, type KnownRun, type RunRow, sumOfHead, sumOfRow } from './run-row.ts';

/** A change of one run: both of its rows afterwards, and what is added. */
export interface RunWrite {
  /** Undefined: the run is created. */
  readonly before: KnownRun | undefined;
  readonly after: KnownRun;
  readonly packed?: PackedRow | undefined;
  readonly ids?: readonly StoredId[] | undefined;
  readonly snapshot?: StoredSnapshot | undefined;
  /** What a fork stands on: it must not have been trimmed since. A copy may stand on a draft. */
  readonly base?: { readonly trims: number; readonly mayBeDraft: boolean } | undefined;
}

const runColumns = `key, run, created_at, kind, graph, version, base, base_run, base_seq, parent, state, early, wake_at,
  worker, waits, tags, floor, top, trims, birth, sum`;
const runTypes = `bigint, text, float8, int, text, int, bigint, text, bigint, text, int, int, float8,
  text, text, text, bigint, bigint, int, int, int`;
const headColumns = 'key, seq, fence, epoch, claims, step, updated_at, rev, frontier, sum';
const headTypes = 'bigint, bigint, bigint, int, int, bigint, float8, bigint, text, int';

/** Collects the values of a statement: each list of rows becomes one array per column. */
class Arrays {
  readonly values: unknown[] = [];

  /** A table of these rows, sorted as they are. */
  table(name: string, columns: string, types: string, rows: readonly (readonly unknown[])[]): string {
    const parameters = types.split(',').map((type, at) => {
      this.values.push(rows.map((row) => row[at]));
      return `$${this.values.length}::${type.trim()}[]`;
    });
    return `unnest(${parameters.join(', ')}) AS ${name}(${columns})`;
  }
}

/**
 * Writes runs that are as they are known, in one statement: each wholly or not at all. Returns the keys of those that were
 * written; the others have changed since. `done` is what the rest of the statement depends on.
 */
export async function writeRuns(session: Session, writes: readonly RunWrite[]): Promise<ReadonlySet<string>> {
  if (writes.length === 0) return new Set();
  const sorted = writes.toSorted((a, b) => (BigInt(a.after.row.key) < BigInt(b.after.row.key) ? -1 : 1));
  const arrays = new Arrays();
  const parts = [...moveHeads(arrays, sorted), ...addParts(arrays, sorted)];
  return execute(session, parts, arrays);
}

/** Creates runs that do not exist, in one statement. Returns the keys of those that were created. */
export async function createRuns(session: Session, writes: readonly RunWrite[]): Promise<ReadonlySet<string>> {
  if (writes.length === 0) return new Set();
  const arrays = new Arrays();
  // Two that create the same runs wait for each other in the same order.
  const sorted = writes.toSorted((a, b) => (a.after.row.run < b.after.row.run ? -1 : 1));
  const parts = [...insertRuns(arrays, sorted), ...addParts(arrays, sorted)];
  return execute(session, parts, arrays);
}

async function execute(session: Session, parts: readonly string[], arrays: Arrays): Promise<ReadonlySet<string>> {
  const rows = await session.rows(`WITH ${parts.join(',\n')}\nSELECT key::text FROM done`, arrays.values);
  return new Set(rows.map(([key]) => key as string));
}

function headCells({ row: { key }, head }: KnownRun): readonly unknown[] {
  const { seq, fence, epoch, claims, step, updatedAt, rev, frontier } = head;
  return [key, seq, fence, epoch, claims, step, updatedAt, rev, frontier, sumOfHead(key, head)];
}

function moveHeads(arrays: Arrays, writes: readonly RunWrite[]): readonly string[] {
  const heads = writes.map(({ before, after }) => [...headCells(after), before?.head.rev]);
  const from = arrays.table('n', `${headColumns}, known`, `${headTypes}, bigint`, heads);
  const done = `done AS (UPDATE @heads h SET seq = n.seq, fence = n.fence, epoch = n.epoch, claims = n.claims, step = n.step,
    updated_at = n.updated_at, rev = n.rev, frontier = n.frontier, sum = n.sum
    FROM ${from} WHERE h.key = n.key AND h.rev = n.known RETURNING h.key)`;
  const changed = writes.filter(({ before, after }) => before?.row !== after.row);
  if (changed.length === 0) return [done];
  const rows = changed.map(({ after: { row } }) => {
    const { key, state, early, wakeAt, worker, waits, tags, floor, top, trims } = row;
    return [key, state, early, wakeAt, worker, waits, tags, floor, top, trims, sumOfRow(row)];
  });
  const columns = 'key, state, early, wake_at, worker, waits, tags, floor, top, trims, sum';
  const types = 'bigint, int, int, float8, text, text, text, bigint, bigint, int, int';
  const update = `changed AS (UPDATE @runs r SET state = c.state, early = c.early, wake_at = c.wake_at, worker = c.worker,
    waits = c.waits, tags = c.tags, floor = c.floor, top = c.top, trims = c.trims, sum = c.sum
    FROM ${arrays.table('c', columns, types, rows)} JOIN done USING (key) WHERE r.key = c.key)`;
  return [done, update];
}

/** A void row with the right epoch is replaced. A base stays as it is until this has been committed. */
function insertRuns(arrays: Arrays, writes: readonly RunWrite[]): readonly string[] {
  const rows = writes.map(({ after: { row }, base }) => {
    return [...cellsOf(row), sumOfRow(row), base?.trims ?? null, base?.mayBeDraft ?? false];
  });
  const table = arrays.table('n', `${runColumns}, base_trims, may_be_draft`, `${runTypes}, int, boolean`, rows);
  const sets = runColumns.split(',').map((name) => `${name.trim()} = EXCLUDED.${name.trim()}`);
  const heads = writes.map(({ after }) => headCells(after));
  return [
    `n AS MATERIALIZED (SELECT * FROM ${table})`,
    `bases AS MATERIALIZED (SELECT b.key FROM @runs b JOIN n ON b.key = n.base
      WHERE b.trims = n.base_trims AND (n.may_be_draft OR b.state & 16 = 0) FOR KEY SHARE OF b)`,
    `done AS (INSERT INTO @runs AS r (${runColumns}) SELECT ${runColumns} FROM n
      WHERE (n.base IS NULL OR n.base IN (SELECT key FROM bases))
        AND (n.birth = 0 OR EXISTS (SELECT 1 FROM @runs v WHERE v.run = n.run AND v.state = 64 AND v.birth = n.birth))
      ON CONFLICT (run) DO UPDATE SET ${sets.join(', ')} WHERE r.state = 64 AND r.birth = EXCLUDED.birth
      RETURNING r.key)`,
    `heads AS (INSERT INTO @heads (${headColumns}) SELECT ${qualified(headColumns, 'a')}
      FROM ${arrays.table('a', headColumns, headTypes, heads)} JOIN done USING (key))`,
  ];
}

function qualified(columns: string, name: string): string {
  return columns
    .split(', ')
    .map((column) => `${name}.${column}`)
    .join(', ');
}

/** Records, ids, snapshots and facets of the runs that were written. */
function addParts(arrays: Arrays, writes: readonly RunWrite[]): readonly string[] {
  const parts = [addRecords(arrays, writes), addIds(arrays, writes), addSnapshots(arrays, writes)];
  return [...parts.flatMap((part) => part ?? []), ...changeFacets(arrays, writes)];
}

function addRecords(arrays: Arrays, writes: readonly RunWrite[]): string | undefined {
  const rows = writes.flatMap(({ packed }) => {
    if (packed === undefined) return [];
    const { key, seq, first, token, parts, text } = packed;
    return [[key, seq, first, sumOfPlace(packed), token, parts, text]];
  });
  if (rows.length === 0) return undefined;
  const columns = 'key, seq, first, sum, token, parts, text';
  return `records AS (INSERT INTO @rows (${columns}) SELECT ${qualified(columns, 'w')}
    FROM ${arrays.table('w', columns, 'bigint, bigint, bigint, int, text, text, text', rows)} JOIN done USING (key))`;
}

function addIds(arrays: Arrays, writes: readonly RunWrite[]): string | undefined {
  const rows = writes.flatMap(({ after: { row }, ids = [] }) => {
    // The last of two counts.
    const unique = new Map(ids.map((each) => [each.id, each]));
    return [...unique.values()].map(({ id, seq, at, crc, text }) => [row.key, id, seq, at, crc, text]);
  });
  if (rows.length === 0) return undefined;
  const columns = 'key, id, seq, at, crc, text';
  return `chosen AS (INSERT INTO @ids (${columns}) SELECT ${qualified(columns, 'i')}
    FROM ${arrays.table('i', columns, 'bigint, text, bigint, float8, bigint, text', rows)} JOIN done USING (key)
    ON CONFLICT (key, id) DO UPDATE SET seq = EXCLUDED.seq, at = EXCLUDED.at, crc = EXCLUDED.crc, text = EXCLUDED.text)`;
}

function addSnapshots(arrays: Arrays, writes: readonly RunWrite[]): string | undefined {
  const rows = writes.flatMap(({ after: { row }, snapshot }) => {
    if (snapshot === undefined) return [];
    const { covers, seq, head, body } = snapshot;
    return [[row.key, covers, seq, head.crc, body?.crc ?? 0, head.text, body?.text ?? '']];
  });
  if (rows.length === 0) return undefined;
  const columns = 'key, covers, seq, head_crc, body_crc, head, body';
  const types = 'bigint, bigint, bigint, bigint, bigint, text, text';
  return `snapshots AS (INSERT INTO @snapshots (${columns}) SELECT ${qualified(columns, 's')}
    FROM ${arrays.table('s', columns, types, rows)} JOIN done USING (key)
    ON CONFLICT (key, covers, seq) DO UPDATE SET head_crc = EXCLUDED.head_crc, body_crc = EXCLUDED.body_crc,
      head = EXCLUDED.head, body = EXCLUDED.body)`;
}

function changeFacets(arrays: Arrays, writes: readonly RunWrite[]): readonly string[] {
  const gone: unknown[][] = [];
  const added: unknown[][] = [];
  for (const { before, after } of writes) {
    const { createdAt, run, key } = after.row;
    const cells = (facet: Facet): unknown[] => [...facetValues(facet), createdAt, run, key];
    const change = facetChange(before, after);
    gone.push(...change.gone.map(cells));
    added.push(...change.added.map(cells));
  }
  const columns = 'type, name, value, created_at, run, key';
  const types = 'int, text, text, float8, text, bigint';
  const parts: string[] = [];
  if (gone.length > 0)
    parts.push(`gone AS (DELETE FROM @facets f USING ${arrays.table('d', columns, types, gone)} JOIN done USING (key)
      WHERE f.type = d.type AND f.name = d.name AND f.value = d.value AND f.created_at = d.created_at AND f.run = d.run)`);
  if (added.length > 0)
    parts.push(`added AS (INSERT INTO @facets (${columns}) SELECT ${qualified(columns, 'a')}
      FROM ${arrays.table('a', columns, types, added)} JOIN done USING (key) ON CONFLICT DO NOTHING)`);
  return parts;
}

/** The run with another row or head. Its `rev` grows. */
export function changed(known: KnownRun, row: Partial<RunRow>, head: Partial<HeadRow>): KnownRun {
  const isSame = Object.keys(row).length === 0;
  return {
    row: isSame ? known.row : { ...known.row, ...row },
    head: { ...known.head, ...head, rev: known.head.rev + 1 },
    // They were valid for the head.
    refusals: head.seq === undefined || head.seq === known.head.seq ? known.refusals : [],
  };
}
