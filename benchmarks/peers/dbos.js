// DBOS on Postgres, doing the work that Holdfast is measured with: each step is `DBOS.runStep`.
import { DBOS } from '@dbos-inc/dbos-sdk';

/** @param {{ url: string, executor?: string, onStep?: (n: number) => void, stepMs?: number }} options */
export async function openPeer({ url, executor = 'bench', onStep = () => {}, stepMs }) {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url,
    executorID: executor,
    applicationVersion: '1',
    logLevel: 'error',
    runAdminServer: false,
  });
  const workflow = DBOS.registerWorkflow(
    async (steps) => {
      let n = 0;
      for (let step = 0; step < steps; step += 1) {
        n += await DBOS.runStep(async () => {
          if (stepMs !== undefined) await new Promise((resolve) => setTimeout(resolve, stepMs));
          onStep(step);
          return 1;
        });
      }
      return n;
    },
    { name: 'loop' },
  );
  await DBOS.launch();
  return {
    async run(steps) {
      const n = await (await DBOS.startWorkflow(workflow)(steps)).getResult();
      if (n !== steps) throw new Error(`DBOS did ${n} steps of ${steps}`);
    },
    close: () => DBOS.shutdown(),
  };
}
