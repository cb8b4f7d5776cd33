// Many at once want one run: one gets it.
import { z } from 'zod';
import { openEngine } from '../../../src/engine/open.ts';
import { nodeEnv } from '../../../src/env/node-env.ts';
import { workflow } from '../../../src/graph/workflow.ts';
import { postgresStoreAt } from '../../../src/store/postgres/url.ts';
import { openDriver } from '../../../src/store/store.ts';
import { Cluster } from '../rig/cluster.ts';
import type { Scene } from './scene.ts';

const engines = 20;
const together = 1_000;

/** 1,000 resumes of one run by 20 engines, and 1,000 claims of one run by as many workers. Each round is one of both. */
export const resumeScene: Scene = async ({ rounds, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const url = cluster.url('resumes');
  let bodies = 0;
  let mayPass = false;
  const flow = workflow('flaky', { input: z.object({}) }, async () => {
    bodies += 1;
    if (!mayPass) throw new Error('Not yet.');
    return 'passed';
  });
  const opened = await Promise.all(
    Array.from({ length: engines }, () =>
      openEngine(postgresStoreAt(url), { graphs: [flow], lease: '60s', log: 'silent' }),
    ),
  );
  const driver = await openDriver(postgresStoreAt(url), nodeEnv);
  const violations: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const id = `resumed-${round}`;
      mayPass = false;
      await opened[0]?.start(flow, {}, { id }).outcome();
      mayPass = true;
      bodies = 0;
      const resumes = Array.from({ length: together }, async (_, at) => opened[at % engines]?.get(flow, id).resume());
      const results = await Promise.allSettled(resumes);
      const outcome = await opened[0]?.get(flow, id).outcome();
      if (bodies !== 1 || outcome?.status !== 'completed') {
        violations.push(`stale: ${together} resumes executed the run ${bodies} times, which is ${outcome?.status}`);
      }
      await opened[0]?.submit(flow, {}, { id: `claimed-${round}` });
      const claims = await Promise.all(
        Array.from({ length: together }, (_, at) =>
          driver.claim({
            type: 'one',
            worker: `claimer-${round}-${at}`,
            leaseMs: 60_000,
            runId: `claimed-${round}`,
            ifDue: false,
          }),
        ),
      );
      const winners = claims.filter(({ claimed }) => claimed.length > 0).length;
      if (winners !== 1) violations.push(`stale: ${together} claims of one run had ${winners} winners`);
      const refused = results.filter(({ status }) => status === 'rejected').length;
      say(`${together} resumes: ${bodies} execution, ${refused} refused; ${together} claims: ${winners} winner`);
    }
  } finally {
    await Promise.all(opened.map((engine) => engine.close()));
    await driver.close();
  }
  return { rounds, acknowledged: rounds * 2, supersteps: rounds, surplus: 0, violations };
};
