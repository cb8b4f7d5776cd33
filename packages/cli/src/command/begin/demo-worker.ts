import type { AnyShape, Graph } from 'holdfast';
import { demoRuns } from '../../demo/demo-runs.ts';
import type { Trace } from '../../demo/support-agent.ts';
import { supportAgent } from '../../demo/support-agent.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openLoaded } from '../../project/open-engine.ts';

/** A killed process blocks its runs for this long. */
const lease = 1_000;

/** A worker of the demo: `first` starts the runs, `second` continues them. It exits when the demo does. */
export const demoWorker: CommandFn<object> = async ({ project }, [life]) => {
  const stopping = new AbortController();
  process.on('message', () => stopping.abort());
  process.on('disconnect', () => stopping.abort());
  process.on('SIGINT', () => undefined);
  const agent = supportAgent((trace: Trace) => process.send?.(trace));
  const library = await import('holdfast');
  await using engine = await openLoaded(project.store, { library, graphs: [agent] }, { lease });
  if (life === 'first') {
    for (const { id, cents } of demoRuns) {
      const question = { id: 'm1', role: 'user', content: `Where is ${id}?` } as const;
      await engine.submit(agent as Graph<AnyShape>, { order: id, cents, messages: question }, { id });
    }
  }
  await engine.work({ drain: '2s', signal: stopping.signal }).done;
  if (process.connected) process.disconnect();
  return 0;
};
