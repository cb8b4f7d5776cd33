// Read-only servers and callers, and what only administrators may do.
import type { ServerEvent } from '@holdfast/server';
import { expect, test } from 'vitest';
import { routes } from '../../src/route/all.ts';
import { refunds, served } from '../fixture.ts';

test('refuses commands in a read-only server, of read-only callers, and of those who are no administrators', async () => {
  const here = await served({ readOnly: true });
  expect((await here.ask('POST', '/runs', { graph: 'refunds', input: {} })).status).toBe(403);
  expect((await here.ask('GET', '/runs')).status).toBe(200);
  const reader = await served({ authorize: () => ({ by: 'r', readOnly: true }) });
  expect((await reader.ask('POST', '/prune', { keep: 1 })).status).toBe(403);
  const user = await served({ authorize: () => ({ by: 'u' }) });
  expect((await user.ask('POST', '/prune', { keep: 1 })).status).toBe(403);
  expect((await user.ask('DELETE', '/runs/x')).status).toBe(403);
});

test('a read-only server refuses every command of the document, and its log says so', async () => {
  const events: ServerEvent[] = [];
  const here = await served({ readOnly: true, observe: (event) => events.push(event) });
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  const commands = routes.filter(({ access }) => access === 'write' || access === 'admin');
  expect(commands.length).toBeGreaterThan(8);
  for (const { id, method, path } of commands) {
    const { status } = await here.ask(method.toUpperCase(), path.replace('{runId}', 'r'), { anything: 1 });
    expect([id, status]).toEqual([id, 403]);
  }
  expect(events.map((event) => event.type === 'command' && event.status)).toEqual(commands.map(() => 403));
  expect((await here.ask('GET', '/runs/r')).body).toMatchObject({ status: 'waiting' });
  // Looking at what a fork would do is reading.
  expect((await here.ask('POST', '/runs/r/fork/preview', {})).status).toBe(200);
});
