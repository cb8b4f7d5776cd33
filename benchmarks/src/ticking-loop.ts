import { setTimeout as delay } from 'node:timers/promises';
import { counter, graph } from 'holdfast';

/** A run that does a short step again and again, for longer than anybody looks. */
export const tickingLoop = graph('ticking', { state: { n: counter() } })
  .node('tick', async () => {
    await delay(20);
    return { n: 1 };
  })
  .edge('start', 'tick')
  .route('tick', ['tick', 'end'], (state) => (state.n < 0 ? 'end' : 'tick'))
  .compile();
