// What a thousand pages that wait for something cost the server: measured in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { bundleServerProgram } from './program.ts';

const streams = 1_000;
const mostBytes = 100 * 2 ** 20;

/** Serves one run that waits. Tells its memory, after a collection, whenever it is asked. */
const program = `
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';
import { serve } from './index.ts';
const waits = workflow('waits', { input: z.object({}), receives: { stop: z.object({}) } }, (_, { receive }) => receive('stop'));
const engine = await openEngine('memory:', { graphs: [waits] });
await engine.start(waits, {}, { id: 'r' }).outcome();
const server = await serve(engine, { limits: { streamsPerCaller: ${streams} } });
console.log(JSON.stringify({ port: server.port, token: server.token }));
process.stdin.on('data', () => {
  gc();
  gc();
  console.log(process.memoryUsage.rss());
});
`;

async function line(lines: Interface): Promise<string> {
  const [text] = (await once(lines, 'line')) as [string];
  return text;
}

test(`${streams} idle streams take at most 100 MB, and the next one is refused`, async () => {
  const path = await bundleServerProgram('idle-streams', program);
  const child = spawn(process.execPath, ['--expose-gc', path], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const { port, token } = JSON.parse(await line(lines)) as { port: number; token: string };
  const memory = async (): Promise<number> => {
    child.stdin.write('?');
    return Number(await line(lines));
  };
  const head = `GET /api/v1/runs/r/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const open = async (): Promise<{ readonly socket: Socket; readonly status: string }> => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    onTestFinished(() => void socket.destroy());
    const [data] = (await once(socket, 'data')) as [Buffer];
    return { socket, status: data.toString('latin1').slice(9, 12) };
  };
  // The first streams load code, which the others share.
  for (let at = 0; at < 10; at += 1) expect((await open()).status).toBe('200');
  const before = await memory();
  for (let at = 10; at < streams; at += 30) await Promise.all(Array.from({ length: Math.min(30, streams - at) }, open));
  // What was needed to open them is given back after a while.
  await expect.poll(async () => (await memory()) - before, { interval: 500 }).toBeLessThan(mostBytes);
  expect((await open()).status).toBe('503');
});
