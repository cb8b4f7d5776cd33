// Two tenants on one store, each with runs of every kind; and a run of one whose base is the other's.
import type { Engine } from 'holdfast';
import { outer, refunds, ticker } from '../fixture.ts';
import type { Pool } from './requests.ts';

/** Runs of acme that were forked from runs of umbrella by someone who sees both. */
export const given: readonly string[] = ['acme-given', 'acme-plain', 'acme-ticking'];

/** Fills the store of an engine. */
export async function fillBoth(engine: Engine): Promise<Pool> {
  const [mine, theirs] = [await fill(engine, 'acme'), await fill(engine, 'umbrella')];
  // Given away by someone who sees both: acme may see what it holds itself, and nothing of what it shares.
  const set = { order: 'mine', log: [] };
  await engine.get('umbrella-asks').fork({ id: 'acme-given', tags: { tenant: 'acme' }, set });
  const plain = { order: 'plain', cents: 1 };
  await engine.start(refunds, plain, { id: 'umbrella-plain', tags: { tenant: 'umbrella' } }).outcome();
  await engine.get('umbrella-plain').fork({ id: 'acme-plain', tags: { tenant: 'acme' } });
  await engine.get('umbrella-ticks').fork({ id: 'acme-ticking', tags: { tenant: 'acme' } });
  // The other way round, they were given a run of ours.
  await engine.get('acme-asks').fork({ id: 'umbrella-taken', tags: { tenant: 'umbrella' } });
  return {
    own: [...mine.ids, ...given],
    foreign: [...theirs.ids, 'umbrella-plain', 'umbrella-taken'],
    questions: [...mine.questions, ...theirs.questions],
  };
}

/** Runs of a tenant, each with a name that says whose it is. */
export async function fill(engine: Engine, tenant: string) {
  const tags = { tenant };
  const input = { order: `secret-of-${tenant}`, cents: 1 };
  await engine.start(refunds, input, { id: `${tenant}-asks`, tags }).outcome();
  await engine.start(outer, {}, { id: `${tenant}-outer`, tags }).outcome();
  await engine.start(ticker, { count: 6, stays: true }, { id: `${tenant}-ticks`, tags }).outcome();
  await engine.get(`${tenant}-asks`).fork({ id: `${tenant}-fork` });
  await engine.journal.append(`${tenant}-loop`, { payload: `secret-of-${tenant}` }, { tags });
  await engine.checkpoints.save(`${tenant}-loop`, { state: { secret: `secret-of-${tenant}` }, tags });
  const runs = await engine.runs({ tags }).toArray();
  const asks = await engine.asks({ tags }).toArray();
  return { ids: runs.map(({ id }) => id), questions: asks.map(({ id }) => id) };
}
