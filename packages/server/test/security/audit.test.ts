// Who answered, forked, cancelled and pruned: in the records, and what is no record in the log.
import type { ServerEvent } from '@holdfast/server';
import { expect, test } from 'vitest';
import { testEverywhere } from '../every-store.ts';
import { refunds, served } from '../fixture.ts';

test('tells the log of commands, with who gave them', async () => {
  const events: unknown[] = [];
  const here = await served({ observe: (event) => events.push(event), by: 'ada' });
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  await here.ask('POST', '/runs/r/answer', { name: 'approve', value: { ok: true } });
  await here.ask('POST', '/runs/r/answer', { name: 'approve', value: 5 });
  expect(events).toMatchObject([
    { type: 'command', command: 'answer', by: 'ada', runId: 'r', status: 200 },
    { type: 'command', command: 'answer', by: 'ada', runId: 'r', status: 400 },
  ]);
});

testEverywhere('who answered, sent, forked, resumed and cancelled stands in the records', async () => {
  const here = await served({
    authorize: (request) => ({ by: request.headers.get('x-user') ?? 'nobody', admin: true }),
  });
  const as = (user: string, path: string, body: unknown) => here.ask('POST', path, body, { 'x-user': user });
  await as('ada', '/runs', { graph: 'refunds', input: { order: 'o', cents: 1 }, id: 'r' });
  await here.engine.get('r').outcome();
  await as('bob', '/runs/r/fork', { id: 'f' });
  await as('cyd', '/runs/f/resume', {});
  await here.engine.get('f').outcome();
  await as('dan', '/runs/f/answer', { name: 'approve', value: { ok: true } });
  await as('eve', '/runs/r/cancel', { reason: 'no' });
  await as('fay', '/runs', { graph: 'ticker', input: { count: 1, stays: true }, id: 't' });
  await here.engine.get('t').outcome();
  await as('gus', '/runs/t/send', { name: 'stop', value: {} });
  const by = async (id: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { kind, payload, runId } of here.engine.journal.read(id))
      if (runId === id && (payload as { by?: string })?.by !== undefined)
        found.push(`${kind} ${(payload as { by: string }).by}`);
    return found;
  };
  expect(await by('f')).toEqual(['fork bob', 'resume cyd', 'answer dan']);
  expect(await by('r')).toEqual(['cancel eve']);
  expect(await by('t')).toEqual(['message gus']);
});

testEverywhere('what is no record goes to the log: starts, prunes, deletes, imports and what was refused', async () => {
  const events: ServerEvent[] = [];
  const here = await served({ observe: (event) => events.push(event), by: 'ada' });
  await here.ask('POST', '/runs', { graph: 'refunds', input: { order: 'o', cents: 1 }, id: 'r' });
  await here.engine.get('r').outcome();
  const { body: fork } = await here.ask('POST', '/runs/r/fork', {});
  await here.ask('POST', '/prune', { runId: 'r', keep: 0 });
  await here.ask('POST', '/prune', { keep: 0, apply: true });
  await here.ask('DELETE', `/runs/${(fork as { run: { id: string } }).run.id}`);
  await here.ask('DELETE', '/runs/nope');
  const made = (fork as { run: { id: string } }).run.id;
  expect(events).toEqual(
    [
      { command: 'startRun', runId: 'r', made: 'r', status: 201 },
      { command: 'fork', runId: 'r', made, status: 201 },
      { command: 'prune', runId: 'r', dryRun: true, status: 200 },
      { command: 'prune', runId: undefined, dryRun: false, status: 200 },
      { command: 'deleteRun', runId: made, status: 200 },
      { command: 'deleteRun', runId: 'nope', status: 404 },
    ].map((event) => ({ type: 'command', by: 'ada', ...event })),
  );
});
