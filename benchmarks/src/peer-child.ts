// A peer in a process of its own, which does what it is told and says how long it took: run by peers.ts.

import { type LangGraphOptions, type PeerMeasured, type PeerWork, peers } from './peers.ts';

/** What `peers/langgraph.js` opens. */
interface Opened {
  run(steps: number): Promise<void>;
  close(): void;
}

const options = JSON.parse(process.argv[2] ?? '{}') as LangGraphOptions;
const module = (await import(new URL('langgraph.js', peers).href)) as {
  openLangGraph(options: LangGraphOptions): Promise<Opened>;
};
const peer = await module.openLangGraph(options);

process.on('message', (work: PeerWork) => void measure(work));
process.on('disconnect', () => peer.close());
process.send?.('ready');

async function measure({ runs, steps, atOnce = false }: PeerWork): Promise<void> {
  const startedAt = performance.now();
  if (atOnce) await Promise.all(Array.from({ length: runs }, () => peer.run(steps)));
  else for (let run = 0; run < runs; run += 1) await peer.run(steps);
  const micros = ((performance.now() - startedAt) * 1000) / (runs * steps);
  process.send?.({ micros } satisfies PeerMeasured);
}
