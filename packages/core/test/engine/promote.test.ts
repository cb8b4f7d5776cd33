import { describe, expect, test } from 'vitest';
import { promote } from '../../src/engine/move/promote.ts';
import { open } from '../../src/engine/open.ts';
import { pictureOf, wrongIn } from '../faults/moves/picture.ts';
import { asking, graphs, populate } from '../faults/moves/population.ts';
import { storesOf } from './every-place.ts';

const pairs = storesOf().flatMap((from) => storesOf().map((to) => ({ from, to, name: `${from.name} to ${to.name}` })));

describe.each(pairs.filter(({ from, to }) => from.name !== to.name))('promote() from $name', ({ from, to }) => {
  test('copies every kind of run, and they go on there as they would have here', async () => {
    const [source, target] = [from.create(), to.create()];
    await (async () => {
      await using engine = await open(source, { graphs });
      await populate(engine);
    })();
    const before = await pictureOf(source);
    const report = await promote(source, target);
    expect(report).toMatchObject({ runs: before.size, copied: before.size, skipped: 0 });
    expect(await pictureOf(target)).toEqual(before);
    expect(await pictureOf(source)).toEqual(before);
    expect(await wrongIn(target)).toEqual([]);
    expect(await promote(source, target)).toMatchObject({ copied: 0, skipped: before.size });
    await using engine = await open(target, { graphs });
    const waiting = await engine.get(asking, 'waiting');
    await waiting.answer('ok', true);
    expect(await waiting.result()).toBe('kelp: 4');
    expect((await (await engine.get('sleeping')).summary()).status).toBe('waiting');
  });
});
