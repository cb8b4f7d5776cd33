import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { ClaimRequest, ClaimResult } from '../../store/contract/lease.ts';
import type { StoredRun } from '../../store/contract/read.ts';
import { type Breakage, changingClaims, overwrite } from './breakage.ts';
import { mutantSuite } from './mutant-suite.ts';

/** Changes every answer to a claim. */
function changingAnswers(change: (answer: ClaimResult, request: ClaimRequest) => Partial<ClaimResult>): Breakage {
  return ({ real }) => ({
    claim: async (request) => {
      const answer = await real.claim(request);
      return { ...answer, ...change(answer, request) };
    },
  });
}

/** Changes every run that a claim gives. */
const changingClaimed = (change: (run: StoredRun) => StoredRun): Breakage =>
  changingAnswers(({ claimed }) => ({ claimed: claimed.map(change) }));

const mutants: Readonly<Record<string, Breakage>> = {
  'a lease never ends': changingClaims((request) => ('leaseMs' in request ? { ...request, leaseMs: 1e12 } : request)),
  'only heartbeats keep a worker alive': ({ real, disk }) => ({
    claim: async (request) => {
      const before = disk.workers.get(request.worker);
      const answer = await real.claim(request);
      if (request.type !== 'heartbeat' && before !== undefined) disk.workers.set(request.worker, before);
      return answer;
    },
  }),
  'a claim does not raise the fence': ({ real, disk }) => ({
    claim: async (request) => {
      const { claimed, ...rest } = await real.claim(request);
      const lowered = claimed.map((run) => ({
        ...run,
        header: { ...run.header, fence: Math.max(1, run.header.fence - 1) },
      }));
      for (const { header } of lowered) overwrite(disk.runs.get(header.runId), { fence: header.fence });
      return { ...rest, claimed: lowered };
    },
  }),
  'a run is given as it was before the claim': changingClaimed(({ header, ...run }) => ({
    ...run,
    header: { ...header, fence: header.fence - 1, claims: header.claims - 1 },
  })),
  'a claimed run comes without its records': changingClaimed((run) => ({ ...run, records: [] })),
  'a claimed run comes without its snapshot': changingClaimed((run) => ({ ...run, snapshot: undefined })),
  'journal runs are claimed': ({ real, disk }) => ({
    claim: async (request) => {
      const run = request.type === 'one' ? disk.runs.get(request.runId) : undefined;
      const answer = await real.claim(request);
      if (run?.fixed.kind !== 'journal' || run.worker !== null) return answer;
      run.lease(request.worker);
      return { ...answer, claimed: [(await real.load({ runId: run.runId, limit: 256 })) as StoredRun] };
    },
  }),
  'a run is taken from a living worker': ({ real, disk }) => ({
    claim: (request) => {
      const run = request.type === 'one' ? disk.runs.get(request.runId) : undefined;
      if (run !== undefined) run.worker = null;
      return real.claim(request);
    },
  }),
  'a run that is not due is not given to who asks for it': changingClaims((request) =>
    request.type === 'one' ? { ...request, ifDue: true } : request,
  ),
  'ifDue is ignored': changingClaims((request) => (request.type === 'one' ? { ...request, ifDue: false } : request)),
  'takeover is always allowed': changingClaims((request) =>
    request.type === 'due' ? { ...request, takeover: true } : request,
  ),
  'takeover of one run is always allowed': changingClaims((request) =>
    request.type === 'one' ? { ...request, takeover: true } : request,
  ),
  'nothing is ever taken over': changingClaims((request) =>
    request.type === 'due' ? { ...request, takeover: false } : request,
  ),
  'due runs come in the order of their ids': ({ real, disk }) => ({
    claim: (request) => {
      for (const run of disk.runs.values()) {
        const { wakeAt } = run.state;
        if (request.type === 'due' && wakeAt !== null && wakeAt < 1.8e12) overwrite(run, { wakeAt: 1 });
      }
      return real.claim(request);
    },
  }),
  'versions of graphs are ignored': changingClaims((request) =>
    request.type === 'due' ? { ...request, graphs: request.graphs.map(({ name }) => ({ name })) } : request,
  ),
  'releases are ignored': changingClaims((request) =>
    request.type === 'release' ? { ...request, runIds: [] } : request,
  ),
  'a release forgets the crashes': ({ real, disk }) => ({
    claim: async (request) => {
      const leased = [...disk.runs.values()].filter(({ worker }) => worker === request.worker);
      const answer = await real.claim(request);
      if (request.type === 'release') for (const run of leased) if (run.worker === null) run.claims = 0;
      return answer;
    },
  }),
  'every claim counts as a crash': ({ real, disk }) => ({
    claim: async (request) => {
      const { claimed, ...rest } = await real.claim(request);
      const counted = claimed.map((run) => ({ ...run, header: { ...run.header, claims: run.header.fence } }));
      for (const { header } of counted) overwrite(disk.runs.get(header.runId), { claims: header.claims });
      return { ...rest, claimed: counted };
    },
  }),
  'the next due time is never told': changingAnswers(() => ({ nextDueAt: null })),
  'the next due time is that of runs that are leased too': ({ real, disk }) => ({
    claim: async (request) => {
      const answer = await real.claim(request);
      const times = [...disk.runs.values()].flatMap(({ state }) => state.wakeAt ?? []);
      return request.type === 'due' && times.length > 0 ? { ...answer, nextDueAt: Math.min(...times) } : answer;
    },
  }),
  'the next due time leaves out the ends of leases': changingAnswers(({ nextDueAt, now }, { type }) =>
    type === 'due' && nextDueAt !== null && nextDueAt > now + 100 ? { nextDueAt: null } : {},
  ),
  'the time that it tells is another': changingAnswers(({ now }) => ({ now: now + 1 })),
  'a refusal is not kept': changingClaims((request) =>
    request.type === 'release' ? { ...request, refusal: undefined } : request,
  ),
  'a refused run is given to the same worker again': ({ real, disk }) => ({
    claim: async (request) => {
      if (request.type !== 'due') return real.claim(request);
      const runs = [...disk.runs.values()].map((run) => [run, run.refusals] as const);
      for (const [run] of runs) run.refusals = [];
      const answer = await real.claim(request);
      for (const [run, refusals] of runs) run.refusals = refusals;
      return answer;
    },
  }),
  'a refused run is given to nobody': ({ real, disk, env }) => ({
    claim: async (request) => {
      for (const run of disk.runs.values()) {
        if (request.type !== 'due' || run.header().refusals.length === 0) continue;
        const refusal = { worker: request.worker, code: 'X', message: '', at: env.clock.now(), head: run.head };
        run.refusals = [...run.refusals, refusal];
      }
      return real.claim(request);
    },
  }),
  'a duty is granted to everybody': changingAnswers((_, { type }) => (type === 'duty' ? { granted: true } : {})),
  'a duty is granted once and never again': changingClaims((request) =>
    request.type === 'duty' ? { ...request, everyMs: 1e12 } : request,
  ),
};

/** Lets the process of every worker be another, as the driver sees it. */
const changingProcesses = (change: (process: string | null) => string | null): Breakage => {
  return ({ real, disk }) => ({
    claim: async (request) => {
      const answer = await real.claim(request);
      for (const [worker, lease] of disk.workers)
        disk.workers.set(worker, { ...lease, process: change(lease.process) });
      return answer;
    },
  });
};

/** Broken in ways that only the tests of the contract look for. */
const finerMutants: Readonly<Record<string, Breakage>> = {
  'a death is not noticed': changingProcesses(() => null),
  'every process but the own one is dead': ({ real, disk }) => ({
    claim: async (request) => {
      const own = disk.workers.get(request.worker)?.process;
      for (const [worker, lease] of disk.workers)
        if (lease.process !== own && own !== undefined) disk.workers.delete(worker);
      return real.claim(request);
    },
  }),
  'a namesake dies with a worker': ({ real, disk }) => ({
    claim: async (request) => {
      const known = [...disk.workers].find(([worker]) => worker.startsWith('label:'));
      for (const [worker, lease] of disk.workers)
        if (worker.startsWith('label:') && known) disk.workers.set(worker, { ...lease, process: known[1].process });
      return real.claim(request);
    },
  }),
  'a death is taken over without being asked to': ({ real, disk }) => ({
    claim: async (request) => {
      const run = disk.runs.get('run');
      const { granted } = await real.claim({ type: 'alive', worker: run?.worker ?? 'nobody' });
      if (run !== undefined && !granted && request.type === 'due') run.worker = null;
      return real.claim(request);
    },
  }),
  'a death counts as no crash': ({ real, disk }) => ({
    claim: async (request) => {
      const answer = await real.claim(request);
      for (const { header, takenFrom } of answer.claimed)
        if (takenFrom?.noticed === 'death') overwrite(disk.runs.get(header.runId), { claims: 0 });
      return answer;
    },
  }),
  'a takeover does not tell from whom': changingAnswers(({ claimed }) => ({
    claimed: claimed.map((run) => ({ ...run, takenFrom: undefined })),
  })),
  'a death is told as the end of a lease': changingAnswers(({ claimed }) => ({
    claimed: claimed.map((run) => ({
      ...run,
      takenFrom: run.takenFrom && { ...run.takenFrom, noticed: 'lease' as const },
    })),
  })),
  'a refusal outlives the head that it was made at': ({ real, disk }) => ({
    commit: async (batches) => {
      const results = await real.commit(batches);
      for (const { runId } of batches) {
        const run = disk.runs.get(runId);
        if (run !== undefined) run.refusals = run.refusals.map((refusal) => ({ ...refusal, head: run.head }));
      }
      return results;
    },
  }),
  'a worker keeps a single refusal for all its runs': ({ real, disk }) => ({
    claim: async (request) => {
      const answer = await real.claim(request);
      for (const run of disk.runs.values()) run.refusals = run.refusals.slice(-1);
      return answer;
    },
  }),
  'a claimed run comes with all of its records': ({ real }) => ({
    claim: async (request) => {
      const { claimed, ...rest } = await real.claim(request);
      const whole = claimed.map(({ header }) => real.load({ runId: header.runId, limit: 1_000 }));
      return { ...rest, claimed: (await Promise.all(whole)).filter((run) => run !== undefined) };
    },
  }),
  'duties are forgotten when it closes': ({ real, disk }) => {
    disk.duties.clear();
    return { close: () => real.close() };
  },
  'a run is given to two who ask at once': ({ real, disk }) => ({
    claim: async (request) => {
      const run = request.type === 'one' ? disk.runs.get(request.runId) : undefined;
      const free = run?.worker === null && run.fixed.kind === 'graph' && !run.hidden;
      await Promise.resolve();
      if (free && run !== undefined) run.worker = null;
      return real.claim(request);
    },
  }),
};

mutantSuite({ describe, test, fc, name: 'a store whose claim() is broken', mutants, finerMutants });
