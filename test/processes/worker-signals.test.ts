import { join } from 'node:path';
import { openEngine } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

/** A worker with one run whose step takes so long, and a listener that tells of the first signal. */
const worker = `
import { openEngine, workflow } from 'holdfast';
const [url, stepMs] = process.argv.slice(2);
const empty = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
const slow = workflow('slow', { input: empty }, (_, { step }) =>
  step('work', async () => {
    console.log('working');
    await new Promise((resolve) => setTimeout(resolve, Number(stepMs)));
    return 'done';
  }),
);
const engine = await openEngine(url, { graphs: [slow] });
await engine.submit(slow, {}, { id: 'r' });
process.once('SIGTERM', () => console.log('heeded'));
await engine.work({ signals: true, drain: '10m' }).done;
await engine.close();
console.log('listeners ' + process.listenerCount('SIGINT'));
`;

describe.each(['file', 'sqlite'] as const)('a worker that heeds signals, on %s', (kind) => {
  let count = 0;
  const place = (): `file:${string}` | `sqlite:${string}` => {
    count += 1;
    return `${kind}:${join(workshop.folder, `worker-${kind}-${count}.store`)}`;
  };

  test('SIGTERM: the step in flight finishes, and the process ends by itself', async () => {
    const url = place();
    const { child, printed, lines, ended } = workshop.run({ code: worker, args: [url, '300'] });
    await printed('working');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 143, signal: null });
    expect(lines).toEqual(['working', 'heeded', 'listeners 0']);
    await using engine = await openEngine(url);
    // The result of the step follows the record of the start, whoever continues with the run.
    expect((await engine.get('r').summary()).head).toBeGreaterThan(1);
  });

  test('a second signal ends it at once', async () => {
    const { child, printed, ended } = workshop.run({ code: worker, args: [place(), '60000'] });
    await printed('working');
    child.kill('SIGTERM');
    await printed('heeded');
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
  });
});
