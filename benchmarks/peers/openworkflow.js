// OpenWorkflow with its Postgres backend: each step is `step.run`, and a worker of the same process executes the runs.
import { OpenWorkflow } from 'openworkflow';
import { BackendPostgres } from 'openworkflow/postgres';
import { Finished } from './finished.js';

/** @param {{ url: string, concurrency?: number, onStep?: (n: number) => void, stepMs?: number }} options */
export async function openPeer({ url, concurrency = 64, onStep = () => {}, stepMs }) {
  const backend = await BackendPostgres.connect(url);
  const flows = new OpenWorkflow({ backend });
  const finished = new Finished();
  const loop = flows.defineWorkflow({ name: 'loop' }, async ({ input, step }) => {
    const startedAt = performance.now();
    let n = 0;
    for (let at = 0; at < input.steps; at += 1) {
      n += await step.run({ name: `step-${at}` }, async () => {
        if (stepMs !== undefined) await new Promise((resolve) => setTimeout(resolve, stepMs));
        onStep(at);
        return 1;
      });
    }
    finished.tell(input.id, { n, ms: performance.now() - startedAt });
    return n;
  });
  const worker = flows.newWorker({ concurrency });
  await worker.start();
  return {
    run: (steps) => finished.of(steps, (id) => loop.run({ id, steps })),
    async close() {
      await worker.stop();
      await backend.stop();
    },
  };
}
