import { z } from 'zod';
import { counter } from '../../../src/channel/counter.ts';
import { list } from '../../../src/channel/list.ts';
import { graph } from '../../../src/graph/graph.ts';

/** A run of so many super-steps, whose state tells which of them were committed. */
export function fleetGraph(body: (run: string, n: number) => Promise<void>) {
  return graph('fleet', { state: { id: z.string(), length: z.number(), n: counter(), seen: list<number>() } })
    .node('one', async ({ state: { id, n } }) => {
      await body(id, n);
      return { n: 1, seen: n };
    })
    .edge('start', 'one')
    .route('one', ['one', 'end'], ({ n, length }) => (n < length ? 'one' : 'end'))
    .compile();
}
