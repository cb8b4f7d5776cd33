// Output that cannot be written is told in one line, and never with a stack.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Bench, bin, openBench } from '../bench.ts';

/** Linux has it. Every write to it fails, as on a full disk. */
const full = '/dev/full';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

test.skipIf(!existsSync(full))('a full disk behind stdout ends a command with one line', () => {
  const file = openSync(full, 'w');
  onTestFinished(() => closeSync(file));
  const { status, stderr } = spawnSync(process.execPath, [bin, 'completion', 'bash'], {
    cwd: bench.folder,
    env: bench.env,
    stdio: ['ignore', file, 'pipe'],
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^holdfast: The output could not be written: ENOSPC: [^\n]*\n$/u),
  });
});

test.skipIf(!existsSync(full))('a full disk behind stderr does not stop a command', () => {
  const file = openSync(full, 'w');
  onTestFinished(() => closeSync(file));
  const { status, stdout } = spawnSync(process.execPath, [bin, 'doctor', '--json', '--debug'], {
    cwd: bench.folder,
    env: bench.env,
    stdio: ['ignore', 'pipe', file],
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toContain('"schema":"holdfast.doctor/1"');
});
