import type { Env } from '../../../env/env.ts';
import type { TrimResult } from '../../contract/retention.ts';
import { isCorruption } from '../../is-corruption.ts';
import { facetsOf, facetValues } from '../../table/facets.ts';
import { type Session, serverTime } from '../connection/database.ts';
import { newKey } from '../run/new-key.ts';
import type { KnownRun } from '../run/run-row.ts';
import { keepVoid } from '../run/void-run.ts';

const remember = 'INSERT INTO @removed (key, run) VALUES ($1::bigint, $2)';
const removals = ['runs', 'heads', 'refusals'].map((table) => `DELETE FROM @${table} WHERE key = $1::bigint`);
const dropFacets = `DELETE FROM @facets f USING unnest($3::int[], $4::text[], $5::text[]) AS d(type, name, value)
  WHERE f.type = d.type AND f.name = d.name AND f.value = d.value AND f.created_at = $1::float8 AND f.run = $2`;
/** One that had this id, or one that a process left behind that died. */
const removedKey = 'SELECT key::text, run FROM @removed ORDER BY run = $1 DESC LIMIT 1';
const forget = 'DELETE FROM @removed WHERE key = $1::bigint';
const isLeft = 'SELECT 1 FROM @removed WHERE run = $1 LIMIT 1';

const dropSome = (
  table: string,
  place: string,
  sizes: string,
): string => `WITH gone AS (DELETE FROM @${table} t WHERE (t.key, ${place}) IN
    (SELECT t.key, ${place} FROM @${table} t WHERE t.key = $1::bigint LIMIT $2::int) RETURNING ${sizes})
  SELECT count(*), coalesce(sum(items), 0), coalesce(sum(bytes), 0) FROM gone`;
const dropRows = dropSome('rows', 't.seq', 't.seq - t.first + 1 AS items, octet_length(t.text) AS bytes');
const dropSnapshots = dropSome(
  'snapshots',
  't.covers, t.seq',
  '1 AS items, octet_length(t.head) + octet_length(t.body) AS bytes',
);
const dropAllIds = dropSome('ids', 't.id', '0 AS items, 0 AS bytes');

const idsWhere = (condition: string): string => `WITH gone AS (DELETE FROM @ids WHERE key = $1::bigint AND id IN
  (SELECT id FROM @ids WHERE key = $1::bigint AND ${condition} LIMIT $2::int) RETURNING 1) SELECT count(*) FROM gone`;
const dropIdsBelow = idsWhere('seq <= $3::bigint AND at < $4::float8');
const dropIdsAbove = idsWhere('seq > $3::bigint');

interface Removal {
  /** The time of a clock that was given; null for the server's. */
  readonly givenTime: number | null;
  readonly env: Pick<Env, 'random'>;
}

/**
 * The run is gone for everyone, and its id is free. What it leaves waits to be dropped. Its epoch is kept, so that a commit
 * that arrives late is still refused. False if it cannot be told what the run is found by.
 */
export async function removeRun(session: Session, known: KnownRun, { givenTime, env }: Removal): Promise<boolean> {
  const { key, run, createdAt } = known.row;
  const found = ifReadable(() => facetsOf(known));
  if (found === undefined) return false;
  const facets = [...found.values()].map(facetValues);
  await session.rows(remember, [key, run]);
  const columns = [0, 1, 2].map((at) => facets.map((facet) => facet[at]));
  if (facets.length > 0) await session.rows(dropFacets, [createdAt, run, ...columns]);
  for (const sql of removals) await session.rows(sql, [key]);
  const { epoch } = known.head;
  if (epoch === 0) return true;
  const [time] = await session.rows(`SELECT ${serverTime}`, [givenTime]);
  const at = Number(time?.[0]);
  return keepVoid(session, { runId: run, key: newKey(at, env), at, epoch, before: 0 });
}

function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isCorruption(error)) return undefined;
    throw error;
  }
}

interface Dropped {
  readonly count: number;
  readonly items: number;
  readonly bytes: number;
}

async function dropFrom(session: Session, sql: string, key: string, limit: number): Promise<Dropped> {
  const [row] = await session.rows(sql, [key, limit]);
  const [count, items, bytes] = (row ?? []).map(Number) as [number, number, number];
  return { count, items, bytes };
}

/** Drops some of a removed run. Undefined if nothing of it is left; then some of another one is dropped. */
export async function dropRemoved(session: Session, runId: string, limit: number): Promise<TrimResult | undefined> {
  const [found] = await session.rows(removedKey, [runId]);
  const [key, run] = (found ?? []) as readonly string[];
  if (key === undefined) return undefined;
  const rows = await dropFrom(session, dropRows, key, limit);
  const snapshots = await dropFrom(session, dropSnapshots, key, limit);
  const ids = await dropFrom(session, dropAllIds, key, limit);
  if ([rows, snapshots, ids].every(({ count }) => count < limit)) await session.rows(forget, [key]);
  const more = (await session.rows(isLeft, [runId])).length > 0;
  const bytes = rows.bytes + snapshots.bytes;
  return run === runId ? { ok: true, records: rows.items, snapshots: snapshots.items, bytes, more } : undefined;
}

interface GoingIds {
  /** Ids of trimmed records that were written before this go. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Drops some of the ids that a trimmed run no longer keeps. True if some may be left. */
export async function dropIds(session: Session, { row }: KnownRun, { before, limit }: GoingIds): Promise<boolean> {
  const { key, floor, top } = row;
  const below = before === undefined ? [] : await session.rows(dropIdsBelow, [key, limit, floor, before]);
  const above = top === null ? [] : await session.rows(dropIdsAbove, [key, limit, top]);
  return [...below, ...above].some(([count]) => Number(count) === limit);
}
