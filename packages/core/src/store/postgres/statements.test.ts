// What a statement costs the server: round trips, and plans that read only what they return.
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { commit, create, externalWriteOf, ownerOf, snapshotOf } from '../../testing/contract/given.ts';
import { interceptedPool } from '../../testing/postgres/failing-pool.ts';
import { costsOf, type PlanNode, partsOf } from '../../testing/postgres/plan.ts';
import { giveBack, sql, storeIn, takeSchema, testPool } from '../../testing/postgres/postgres-places.ts';
import { CheckedStore } from '../checked-store.ts';
import { openDriver } from '../store.ts';
import type { PostgresQuery } from './connection/pool.ts';

/** A store whose statements are written down. */
async function setUp() {
  const schema = await takeSchema();
  let log: PostgresQuery[] | undefined;
  const pool = interceptedPool(await testPool(), (query, execute) => {
    if (!query.text.includes('pg_notify')) log?.push(query);
    return execute();
  });
  const driver = await openDriver(storeIn(schema, pool), nodeEnv);
  const store = new CheckedStore(driver, nodeEnv);
  onTestFinished(async () => {
    await store.close();
    await giveBack(schema);
  });
  const during = async (work: () => Promise<unknown>): Promise<readonly PostgresQuery[]> => {
    const made: PostgresQuery[] = [];
    log = made;
    await work();
    log = undefined;
    return made;
  };
  return { store, driver, schema, during };
}

describe('round trips', () => {
  test('a start, a super-step, a load and a look for due runs in vain take one each', async () => {
    const { store, during } = await setUp();
    const graphs = [{ name: 'flow', version: 1 }, { name: 'other' }];
    expect(await during(() => create(store, 'run', { worker: 'worker' }))).toHaveLength(1);
    const step = { expect: 1, fence: 1, header: { superstep: 1, frontier: ['b'] } };
    expect(await during(() => commit(store, ownerOf('run', step)))).toHaveLength(1);
    const last = {
      ...step,
      expect: 2,
      header: { status: 'completed', tags: { a: 'b' } },
      snapshot: snapshotOf(2),
    } as const;
    expect(await during(() => commit(store, ownerOf('run', { ...last, release: true })))).toHaveLength(1);
    expect(await during(() => store.load({ runId: 'run', limit: 9 }))).toHaveLength(1);
    const due = { type: 'due', worker: 'worker', leaseMs: 1_000, graphs, limit: 5, takeover: true } as const;
    expect(await during(() => store.claim(due))).toHaveLength(1);
    expect(await during(() => store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 1_000 }))).toHaveLength(1);
  });

  test('a fork of a run that is known takes one', async () => {
    const { store, during } = await setUp();
    await create(store, 'base');
    expect(await during(() => create(store, 'fork', { forkedAt: { runId: 'base', seq: 1 } }))).toHaveLength(1);
  });

  test('a group takes one', async () => {
    const { store, during } = await setUp();
    const runs = Array.from({ length: 20 }, (_, at) => `run-${at}`);
    const all = (work: (runId: string) => Promise<unknown>): Promise<unknown> => Promise.all(runs.map(work));
    expect(await during(() => all((runId) => create(store, runId, { worker: 'worker' })))).toHaveLength(1);
    expect(await during(() => all((runId) => commit(store, ownerOf(runId, { expect: 1, fence: 1 }))))).toHaveLength(1);
  });
});

const runCount = Number(process.env['HOLDFAST_RUNS'] ?? 20_000);

const statuses = ['pending', 'running', 'waiting', 'suspended', 'completed', 'failed', 'cancelled'] as const;
const groupSize = 1_000;

/** Many runs that nobody looks for. */
async function addRuns(store: CheckedStore, schema: string): Promise<void> {
  for (let first = 0; first < runCount; first += groupSize) {
    await Promise.all(Array.from({ length: groupSize }, (_, at) => addRun(store, first + at)));
  }
  for (const table of ['runs', 'heads', 'rows', 'facets', 'leases', 'refusals', 'snapshots', 'ids'])
    await sql(`ANALYZE "${schema}".${table}`);
}

function addRun(store: CheckedStore, n: number): Promise<void> {
  const status = statuses[n % statuses.length];
  return create(store, `many-${n}`, {
    graph: 'flow',
    version: 1 + (n % 3),
    createdAt: n,
    tags: { team: `t${n % 100}` },
    ...(status !== undefined && { status }),
    ...(n % statuses.length < 2 && { wakeAt: 9_000_000_000_000 + n }),
    ...(n % 50 === 0 && { worker: `w-${n % 4}` }),
  });
}

async function planOf({ text, values }: PostgresQuery): Promise<PlanNode> {
  const [row] = await sql(`EXPLAIN (FORMAT JSON) ${text}`, values);
  const [[{ Plan }]] = row as readonly [readonly [{ readonly Plan: PlanNode }]];
  return Plan;
}

/** Commits to so many of the runs, which are not sorted. */
function groupOf(count: number) {
  return Array.from({ length: count }, (_, at) => externalWriteOf(`many-${((at * 37) % count) * 7}`, { expect: 1 }));
}

/** The page in a physical place. */
function pageOf(row: readonly unknown[] | undefined): unknown {
  return String(row?.[0]).split(',')[0];
}

describe('plans over many runs', () => {
  // A million runs take a while.
  test('no hot statement reads a whole table, or sorts more than it returns', { timeout: 7_200_000 }, async () => {
    const { store, driver, schema, during } = await setUp();
    await addRuns(store, schema);
    const graphs = [{ name: 'flow', version: 1 }, { name: 'flow' }];
    const due = { type: 'due', worker: 'w-1', leaseMs: 1_000, graphs, limit: 5, takeover: true } as const;
    await create(store, 'run', { worker: 'worker', tags: { team: 'red' }, wakeAt: 5 });
    const page = { order: 'newest', limit: 5 } as const;
    const work: readonly (() => Promise<unknown>)[] = [
      () => commit(store, ownerOf('run', { expect: 1, fence: 1 })),
      () => commit(store, ownerOf('run', { expect: 2, fence: 1, header: { status: 'waiting', tags: {} } })),
      () => create(store, 'fork', { forkedAt: { runId: 'run', seq: 1 } }),
      () => store.load({ runId: 'run', limit: 5 }),
      () => store.records({ runId: 'run', order: 'newest', limit: 5 }),
      () => driver.claim(due),
      () => driver.claim({ type: 'one', worker: 'w', leaseMs: 1_000, runId: 'run', ifDue: true }),
      () => driver.claim({ type: 'release', worker: 'nobody' }),
      () => driver.runs({ ...page, status: ['waiting'] }),
      () => driver.runs({ ...page, order: 'oldest', after: { createdAt: 9, runId: 'many-9' } }),
      () => driver.runs({ ...page, graph: 'flow', status: ['failed', 'completed'] }),
      () => driver.runs({ ...page, tags: { team: 't7' } }),
      () => driver.runs({ ...page, worker: 'w-1' }),
      () => driver.runs({ ...page, parentId: 'many-4' }),
      () => driver.runs({ ...page, forkOf: 'run' }),
      () => driver.runs({ ...page, updatedBefore: 50 }),
    ];
    const costs: string[] = [];
    for (const each of work) {
      for (const query of (await during(each)).filter(({ values }) => values.length > 0)) {
        costs.push(...costsOf(await planOf(query)).map((cost) => `${cost}: ${query.text}`));
      }
    }
    expect(costs).toEqual([]);
    // The ids that begin so are found in the order of ids, and shown in that of time: all of them are sorted, and no others.
    for (const query of await during(() => driver.runs({ ...page, idPrefix: 'many-77' }))) {
      expect(costsOf(await planOf(query)).filter((cost) => !cost.startsWith('sorts'))).toEqual([]);
    }
    // Both are found out.
    const slow = `SELECT r.run FROM "${schema}".runs r ORDER BY r.birth, r.run LIMIT 5`;
    const found = costsOf(await planOf({ text: slow, values: [], rowMode: 'array' })).join();
    expect(found).toMatch(/reads all of runs/u);
    expect(found).toMatch(/sorts \d+ rows of runs/u);
    // Locks are granted in the order of the array, which is the same for all: a hash join would have one of its own.
    const writing = await during(() => Promise.all(groupOf(64).map((write) => commit(store, write))));
    const group = writing.find(({ text }) => text.startsWith('WITH done AS (UPDATE'));
    const [update] = [...partsOf(await planOf(group as PostgresQuery))].filter(
      ({ Operation }) => Operation === 'Update',
    );
    const [join] = update?.Plans ?? [];
    expect(join?.['Node Type']).toBe('Nested Loop');
    expect(join?.Plans?.map((each) => each['Node Type'])).toEqual(['Function Scan', 'Index Scan']);
  });

  test('updates of heads stay on their pages', async () => {
    const { store, schema } = await setUp();
    await create(store, 'run', { worker: 'worker' });
    const [before] = await sql(`SELECT ctid::text FROM "${schema}".heads`);
    for (let expect = 1; expect < 20; expect += 1) await commit(store, ownerOf('run', { expect, fence: 1 }));
    const [after] = await sql(`SELECT ctid::text FROM "${schema}".heads`);
    expect(pageOf(after)).toEqual(pageOf(before));
    expect(
      await sql('SELECT count(*)::int FROM pg_indexes WHERE schemaname = $1 AND tablename = $2', [schema, 'heads']),
    ).toEqual([[1]]);
  });
});
