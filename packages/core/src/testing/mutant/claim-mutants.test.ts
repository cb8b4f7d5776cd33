import fc from 'fast-check';
import { describe, test } from 'vitest';
import { type Breakage, overwrite } from './breakage.ts';
import { mutantSuite } from './mutant-suite.ts';

const mutants: Readonly<Record<string, Breakage>> = {
  'a lease never ends': ({ real }) => ({
    claim: (request) => real.claim(request.type === 'heartbeat' ? { ...request, leaseMs: 1e12 } : request),
  }),
  'a claim does not raise the fence': ({ real, disk }) => ({
    claim: async (request) => {
      const { claimed, alive } = await real.claim(request);
      for (const { runId, fence } of claimed) overwrite(disk.runs.get(runId), { fence: Math.max(1, fence - 1) });
      return { claimed: claimed.map((header) => ({ ...header, fence: Math.max(1, header.fence - 1) })), alive };
    },
  }),
  'journal runs are claimed': ({ real, disk }) => ({
    claim: async (request) => {
      const run = request.type === 'one' ? disk.runs.get(request.runId) : undefined;
      if (run?.fixed.kind !== 'journal' || run.worker !== null) return real.claim(request);
      return { claimed: [run.claim(request.worker)], alive: true };
    },
  }),
  'a run is taken from a living worker': ({ real, disk }) => ({
    claim: (request) => {
      const run = request.type === 'one' ? disk.runs.get(request.runId) : undefined;
      if (run !== undefined) run.worker = null;
      return real.claim(request);
    },
  }),
  'a run that is not due is not given to who asks for it': ({ real, disk, env }) => ({
    claim: async (request) => {
      const wakeAt = request.type === 'one' ? disk.runs.get(request.runId)?.wakeAt : 0;
      return wakeAt === null || (wakeAt ?? 0) > env.clock.now() ? { claimed: [], alive: true } : real.claim(request);
    },
  }),
  'due runs come in the order of their ids': ({ real, disk }) => ({
    claim: (request) => {
      const due = [...disk.runs.values()].filter(
        (run) => request.type === 'due' && run.wakeAt !== null && run.wakeAt < 1.8e12,
      );
      for (const run of due) run.wakeAt = Math.min(run.wakeAt as number, 1);
      return real.claim(request);
    },
  }),
  'a worker without a lease takes runs': ({ real, disk, env }) => ({
    claim: async (request) => {
      if (request.type !== 'heartbeat' && !disk.workers.has(request.worker))
        disk.workers.set(request.worker, env.clock.now() + 1);
      return real.claim(request);
    },
  }),
  'versions of graphs are ignored': ({ real }) => ({
    claim: (request) =>
      real.claim(
        request.type === 'due' ? { ...request, graphs: request.graphs.map(({ name }) => ({ name })) } : request,
      ),
  }),
  'releases are ignored': ({ real }) => ({
    claim: (request) => real.claim(request.type === 'release' ? { ...request, runs: [] } : request),
  }),
};

/** Broken in ways that only the tests of the contract look for. */
const finerMutants: Readonly<Record<string, Breakage>> = {
  'the time of death is never told': ({ real }) => ({
    claim: async (request) => ({ ...(await real.claim(request)), alive: true }),
  }),
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
