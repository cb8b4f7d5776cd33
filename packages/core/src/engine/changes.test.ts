import { expect, test } from 'vitest';
import { nodeEnv } from '../env/node-env.ts';
import { memoryParts } from '../testing/memory-parts.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { Changes } from './changes.ts';

test('a hint reaches a listener that began just after another was woken', async () => {
  const changes = new Changes(memoryParts().store, { ...nodeEnv, clock: virtualClock() });
  const first = changes.watch('r');
  changes.tell('r');
  const second = changes.watch('r');
  await first.next();
  const told = second.next().then(() => 'told');
  changes.tell('r');
  expect(await told).toBe('told');
  changes.close();
});

test('who listens for several runs is told of each', async () => {
  const changes = new Changes(memoryParts().store, { ...nodeEnv, clock: virtualClock() });
  for (const runId of ['r', 'child']) {
    const watch = changes.watch('r');
    watch.also('child');
    const told = watch.next().then(() => runId);
    changes.tell(runId);
    expect(await told).toBe(runId);
  }
  changes.close();
});
