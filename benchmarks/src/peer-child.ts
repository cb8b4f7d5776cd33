// A peer in a process of its own, which does what it is told and says how long it took: run by peers.ts.

import { type PeerMeasured, type PeerOptions, type PeerWork, peers } from './peers.ts';

/** What a module in `peers/` opens. */
interface Opened {
  /** One run. It gives how many ms its steps took if that is not all of the time: others wait for a worker that polls. */
  run(steps: number): Promise<number | undefined>;
  close(): Promise<void> | undefined;
}

const options = JSON.parse(process.argv[2] ?? '{}') as PeerOptions;
const module = (await import(new URL(`${options.module}.js`, peers).href)) as {
  openPeer(options: PeerOptions): Promise<Opened>;
};
const peer = await module.openPeer(options);

process.on('message', (work: PeerWork) => void measure(work));
process.on('disconnect', () => void Promise.resolve(peer.close()).finally(() => process.exit(0)));
process.send?.('ready');

async function measure({ runs, steps, atOnce = false }: PeerWork): Promise<void> {
  const startedAt = performance.now();
  let ms = 0;
  if (atOnce) {
    await Promise.all(Array.from({ length: runs }, () => peer.run(steps)));
    ms = performance.now() - startedAt;
  } else {
    for (let run = 0; run < runs; run += 1) {
      const from = performance.now();
      ms += (await peer.run(steps)) ?? performance.now() - from;
    }
  }
  process.send?.({ micros: (ms * 1000) / (runs * steps) } satisfies PeerMeasured);
}
