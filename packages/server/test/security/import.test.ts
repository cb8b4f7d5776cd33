// Importing over HTTP: for administrators alone, after a process that may be killed has checked the file.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@holdfast/server/client';
import { beforeAll, expect, test, vi } from 'vitest';
import { spooled } from '../../src/import/spool.ts';
import { askAt, openHere, refunds, served } from '../fixture.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
// The process that checks a file loads `holdfast` as it is installed.
beforeAll(() => void execFileSync(process.execPath, ['scripts/bundle.mjs', 'core'], { cwd: root }));

async function exported(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const engine = await openHere();
  await engine.start(refunds, { order: 'o', cents: 1 }, { id }).outcome();
  const parts: Uint8Array[] = [];
  for await (const part of engine.export(id)) parts.push(part);
  return Uint8Array.from(Buffer.concat(parts));
}

interface Sent {
  readonly status: number;
  readonly body: unknown;
}

async function sent(
  { base, server }: Awaited<ReturnType<typeof served>>,
  body: Uint8Array<ArrayBuffer> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const response = await fetch(`${base}/api/v1/import`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/x-ndjson', ...headers },
  });
  return { status: response.status, body: await response.json() };
}

test('imports what was exported, once', async () => {
  const file = await exported('r');
  const here = await served();
  const report = { runId: 'r', runs: 1, imported: 1, redacted: false };
  expect(await sent(here, file)).toEqual({ status: 201, body: report });
  expect(await sent(here, file)).toEqual({ status: 201, body: { ...report, imported: 0 } });
  expect((await here.ask('GET', '/runs/r')).body).toMatchObject({ id: 'r', status: 'suspended' });
  const client = new Client({ url: here.base, token: here.server.token });
  expect(await client.import(file, { id: 'copy' })).toMatchObject({ runs: 1, imported: 1 });
});

test('refuses everyone else, and every other body', async () => {
  const here = await served();
  expect(await sent(here, '{}', { 'content-type': 'application/json' })).toMatchObject({ status: 415 });
  expect(await sent(here, '{}', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  expect(await sent(await served({ readOnly: true }), '{}')).toMatchObject({ status: 403 });
  const callers = [{ by: 'ada' }, { by: 'ada', admin: true, scope: { tenant: 'acme' } }];
  for (const caller of callers) {
    const { base } = await served({ authorize: () => caller });
    const headers = { 'content-type': 'application/x-ndjson' };
    expect((await askAt(base, {})('POST', '/import', {}, headers)).status).toBe(403);
  }
});

test('refuses a file that is none of ours or corrupt, and keeps nothing of it', async () => {
  const here = await served();
  expect(await sent(here, 'hello\n')).toMatchObject({
    status: 400,
    body: { error: { code: 'HOLDFAST_FOREIGN_FILE' } },
  });
  const file = await exported('r');
  const corrupt = file.slice(0, file.length - 20);
  expect(await sent(here, corrupt)).toMatchObject({ status: 400, body: { error: { code: 'HOLDFAST_CORRUPT' } } });
  expect(await here.engine.runs().toArray()).toEqual([]);
});

test.each([
  [{ importBytes: 100 }, [413]],
  // It arrives too late, or its check takes too long.
  [{ importMs: 1 }, [408, 413]],
  [{ importHeapMegabytes: 1 }, [413]],
])('refuses a file that takes more than it may: %j', async (limits, statuses) => {
  const here = await served({ limits });
  expect((await sent(here, await exported('r'))).status).toBeOneOf(statuses);
  expect(await here.engine.runs().toArray()).toEqual([]);
});

test('gives up a file that never arrives, and leaves nothing of it', async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"holdfast":')),
    cancel: () => {
      isCancelled = true;
    },
  });
  const use = vi.fn<(path: string) => Promise<void>>();
  await expect(spooled(body, { importBytes: 1_000, importMs: 100 }, use)).rejects.toMatchObject({
    status: 408,
    code: 'HTTP_TIMEOUT',
  });
  expect(use).not.toHaveBeenCalled();
  await expect.poll(() => isCancelled).toBe(true);
});
