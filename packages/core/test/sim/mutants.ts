import { openRecord, sealRecord } from '../../src/store/commit/encode.ts';
import type { Batch } from '../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { drainMutants } from './drain-mutants.ts';
import { interventionMutants } from './intervention-mutants.ts';
import type { Around, Mutant } from './mutant.ts';
import { changing, forgetting, forgotten, payloadOf, rewriting } from './rewriting.ts';
import { timerMutants } from './timer-mutants.ts';

/** Puts what tasks wrote in the order in which they have finished. */
function mergingByCompletion(): (around: Around) => Partial<StoreDriver> {
  const finished = new Map<string, unknown[]>();
  return rewriting((entry, { runId }) => {
    const payload = payloadOf(entry);
    const before = finished.get(runId) ?? [];
    if (entry.kind === 'task') {
      const written = (payload['update'] as Record<string, unknown[]> | undefined)?.['log']?.[1];
      finished.set(runId, [...before, ...(Array.isArray(written) ? (written as unknown[]) : [written])]);
      return entry;
    }
    if (entry.kind !== 'superstep') return entry;
    finished.delete(runId);
    const delta = payload['delta'] as Record<string, readonly unknown[]> | undefined;
    const [tag, items] = delta?.['log'] ?? [];
    if (tag !== '+' || !Array.isArray(items)) return entry;
    const rank = (item: unknown): number => (before.includes(item) ? before.indexOf(item) : before.length);
    const log = ['+', items.toSorted((a, b) => rank(a) - rank(b))];
    return { ...entry, payload: { ...payload, delta: { ...delta, log } } };
  });
}

function cancels({ runId, records }: Batch): boolean {
  return records.some((record) => {
    const entry = openRecord(runId, record);
    return entry.kind === 'cancel' || payloadOf(entry)['status'] === 'cancelled';
  });
}

/** Says that a run was cancelled, and does not do it. */
function withoutCancels({ driver }: Around): Partial<StoreDriver> {
  return {
    commit: async (batches) => {
      const made = batches.filter((batch) => !cancels(batch));
      const results = made.length === 0 ? [] : [...(await driver.commit(made))];
      return batches.map((batch) => (cancels(batch) ? { ok: true } : (results.shift() as { ok: true })));
    },
  };
}

/** Calls a run due that waits, as long as one of its tasks has failed before. */
function keepingRetryTimes(): (around: Around) => Partial<StoreDriver> {
  const failed = new Set<string>();
  return changing((batch, { process }) => {
    for (const record of batch.records) {
      const entry = openRecord(batch.runId, record);
      const { name, retryAt } = payloadOf(entry);
      if (entry.kind === 'attempt' && name === undefined && retryAt !== undefined) failed.add(batch.runId);
      if (entry.kind === 'superstep') failed.delete(batch.runId);
    }
    if (!failed.has(batch.runId) || batch.header.status !== 'waiting') return batch;
    return { ...batch, header: { ...batch.header, status: 'running', wakeAt: process.env.clock.now() } };
  });
}

/** The mutants, made anew for every simulation. */
export function mutants(): readonly Mutant[] {
  return [
    {
      name: 'no fence check',
      store: changing((batch, { disk }) =>
        batch.fence === null ? batch : { ...batch, fence: disk.runs.get(batch.runId)?.fence ?? batch.fence },
      ),
    },
    {
      name: 'no head check',
      store: changing((batch, { disk }) => {
        const head = batch.create === null ? disk.runs.get(batch.runId)?.head : undefined;
        if (head === undefined || head === batch.expect) return batch;
        const records = batch.records.map((record, at) =>
          sealRecord({ runId: batch.runId, seq: head + at + 1 }, openRecord(batch.runId, record)),
        );
        return { ...batch, expect: head, records };
      }),
    },
    {
      name: 'a doubt that is only read',
      store: ({ driver, disk }) => ({
        resolveDoubt: async (batch) => {
          const result = await driver.resolveDoubt(batch);
          if (result.outcome !== 'absent') return result;
          const run = disk.runs.get(batch.runId);
          const epoch = result.epoch - 1;
          if (run !== undefined) run.epoch = epoch;
          else if (epoch === 0) disk.voids.delete(batch.runId);
          return { ...result, found: run?.header(), epoch };
        },
      }),
    },
    {
      name: 'no epoch check',
      store: changing((batch, { disk }) => ({
        ...batch,
        epoch: disk.runs.get(batch.runId)?.epoch ?? disk.voids.get(batch.runId)?.epoch ?? 0,
      })),
    },
    {
      name: 'no void row for a run that is not there',
      store: ({ driver, disk }) => ({
        resolveDoubt: async (batch) => {
          const result = await driver.resolveDoubt(batch);
          const isVoid = result.outcome === 'absent' && disk.voids.delete(batch.runId);
          return isVoid ? { ...result, epoch: 0 } : result;
        },
      }),
    },
    {
      name: 'takeovers at once after an outage',
      engine: ({ driver }) => ({
        claim: (request) => driver.claim(request.type === 'due' ? { ...request, takeover: true } : request),
      }),
    },
    {
      name: 'a wake-up that fails and is forgotten',
      setting: 'embedded',
      engine: ({ driver, process }) => ({
        claim: async (request) => {
          try {
            return await driver.claim(request);
          } catch (error) {
            if (request.type !== 'one') throw error;
            return { claimed: [], corrupt: [], granted: false, now: process.env.clock.now(), nextDueAt: null };
          }
        },
      }),
    },
    {
      name: 'claims that count as crashes',
      store: ({ driver }) => ({
        claim: async (request) => {
          const result = await driver.claim(request);
          const claimed = result.claimed.map((run) => ({
            ...run,
            header: { ...run.header, claims: run.header.fence },
          }));
          return { ...result, claimed };
        },
      }),
    },
    ...drainMutants,
    ...timerMutants,
    ...interventionMutants,
    { name: 'leases by local time', hasLocalLeases: true },
    { name: 'a process that stands still taken for dead', mistakesProcesses: 'paused is dead' },
    { name: 'a process in another container taken for dead', mistakesProcesses: 'hidden is dead' },
    { name: 'memo by call order', namesByOrder: true },
    { name: 'merge by completion order', engine: mergingByCompletion() },
    {
      name: 'an answer to the wrong question',
      engine: rewriting((entry, { runId }, { disk }) => {
        const { wait } = payloadOf(entry);
        if (entry.kind !== 'answer' || wait === undefined) return entry;
        const other = disk.runs.get(runId)?.state.waits.find(({ kind, id }) => kind === 'ask' && id !== wait);
        return other === undefined ? entry : { ...entry, payload: { ...payloadOf(entry), wait: other.id } };
      }),
    },
    {
      name: 'acknowledged before the commit',
      store: ({ driver, process, world }) => ({
        commit: async (batches) => {
          world.after(process, 4, () => void driver.commit(batches));
          return batches.map(() => ({ ok: true }) as const);
        },
      }),
    },
    {
      name: 'a dropped wake-up of an answer',
      engine: changing((batch) => {
        if (batch.fence !== null || batch.create !== null) return batch;
        const kept = Object.entries(batch.header).filter(([key]) => key !== 'wakeAt');
        return { ...batch, header: Object.fromEntries(kept) };
      }),
    },
    {
      name: 'a dropped wake-up of a timer',
      engine: changing((batch, { process }) => {
        const { wakeAt } = batch.header;
        if (wakeAt === undefined || wakeAt === null || wakeAt <= process.env.clock.now()) return batch;
        return { ...batch, header: { ...batch.header, wakeAt: null } };
      }),
    },
    {
      name: 'no intent before an effect',
      engine: rewriting((entry) => (entry.kind === 'intent' ? { kind: 'note', at: entry.at } : entry)),
    },
    { name: 'forgotten results of steps', engine: forgetting('result') },
    { name: 'forgotten tasks', engine: forgetting('task') },
    { name: 'forgotten failures', engine: forgetting('attempt') },
    { name: 'a late answer that is kept', keepsLateAnswers: true },
    {
      name: 'a repeated answer that is known only for the last question of a name',
      engine: ({ driver }) => ({
        records: async (query) => {
          const records = await driver.records(query);
          return query.order === 'oldest' ? records : records.map((each) => forgotten('wait', query.runId, each));
        },
      }),
    },
    { name: 'the loser of a race left waiting', engine: withoutCancels },
    { name: 'a fork that pauses again', engine: forgetting('pause') },
    { name: 'a retry time that outlives the wait', engine: keepingRetryTimes() },
  ];
}

/** The driver, but otherwise where the mutant says so. */
export function mutated(around: Around, change: ((around: Around) => Partial<StoreDriver>) | undefined): StoreDriver {
  const { driver } = around;
  return change === undefined ? driver : withCalls(driver, change(around));
}
