import type { AnyShape, Graph } from 'holdfast';
import type { DemoLife } from '../../demo/demo-process.ts';
import { demoRuns, fatalCall, watchedRun } from '../../demo/demo-runs.ts';
import type { Trace } from '../../demo/support-agent.ts';
import { supportAgent } from '../../demo/support-agent.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openLoaded } from '../../project/open-engine.ts';

/** A killed process blocks its runs for this long. */
const lease = 1_000;

/** A worker of the demo, in one of its lives. It exits when the demo does. */
export const demoWorker: CommandFn<object> = async ({ project }, [given]) => {
  const life = given as DemoLife;
  const stopping = new AbortController();
  process.on('message', () => stopping.abort());
  process.on('disconnect', () => (life === 'watched' ? process.exit(0) : stopping.abort()));
  process.on('SIGINT', () => undefined);
  const endless = life === 'watched' ? fatalCall.call : undefined;
  const agent = supportAgent((trace: Trace) => process.send?.(trace), endless) as Graph<AnyShape>;
  const library = await import('holdfast');
  // The studio names it as the terminal does: by its process.
  const workerId = `demo:${process.pid}`;
  await using engine = await openLoaded(project.store, { library, graphs: [agent] }, { lease, workerId });
  if (life === 'first') for (const run of demoRuns) await engine.submit(agent, inputOf(run), { id: run.id });
  // Started here, not submitted: the other worker must not get it.
  if (life === 'watched') await engine.start(agent, inputOf(watchedRun), { id: watchedRun.id }).outcome();
  else await engine.work({ drain: '2s', signal: stopping.signal }).done;
  if (process.connected) process.disconnect();
  return 0;
};

function inputOf({ id, cents }: typeof watchedRun) {
  const question = { id: 'm1', role: 'user', content: `Where is ${id}?` } as const;
  return { order: id, cents, messages: question };
}
