// The disk of the server is full: writes fail, say so and change nothing, and go through once there is room.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, workflow } from 'holdfast';
import { postgresStore } from 'holdfast/postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createTestPool, sql, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { giveToServer } from '../../src/testing/postgres/server.ts';
import { all } from '../engine/every-place.ts';
import { command, lastCommand } from '../faults/runner/command.ts';
import { mountRefused } from '../faults/runner/probe-mount.ts';

const isHere = (process.env['HOLDFAST_TEST_POSTGRES'] ?? '') === '';
const missing =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'root of a Linux machine'
    : isHere
      ? mountRefused()
      : 'a server on this machine';

/** A place for tables that holds a few megabytes. The log of the server has another disk, as it should. */
async function smallTablespace(): Promise<{ readonly name: string; readonly enlarge: () => Promise<unknown> }> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-small-disk-'));
  chmodSync(folder, 0o755);
  await command('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder);
  await giveToServer(folder);
  chmodSync(folder, 0o700);
  const name = `small_${process.pid}`;
  onTestFinished(async () => {
    await sql(`DROP TABLESPACE ${name}`);
    lastCommand('umount', '--lazy', folder);
    rmSync(folder, { recursive: true, force: true });
  });
  await sql(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
  return { name, enlarge: () => command('mount', '-o', 'remount,size=200m', folder) };
}

/** What no server can compress. */
const noise = (): string => randomBytes(100_000).toString('base64');

const grow = workflow('grow', { input: z.object({}) }, async (_, { step }) => {
  for (let n = 0; n < 60; n += 1) await step('more', () => noise());
  return 'done';
});

describe.skipIf(missing !== undefined)(`a full disk (needs ${missing ?? 'nothing more'})`, () => {
  test('fails writes and says so; then the run goes on, and nothing of it is lost', async () => {
    const disk = await smallTablespace();
    const schema = await takeSchema();
    const user = `crowded_${process.pid}`;
    await sql(`CREATE ROLE ${user} LOGIN SUPERUSER`);
    await sql(`ALTER ROLE ${user} SET default_tablespace = ${disk.name}`);
    const pool = await createTestPool({ user });
    onTestFinished(async () => {
      await pool.end();
      await sql(`DROP SCHEMA "${schema}" CASCADE`);
      await sql(`DROP OWNED BY ${user}`);
      await sql(`DROP ROLE ${user}`);
    });
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    const engine = await openEngine(postgresStore({ pool, schema }), { graphs: [grow], lease: '2s', log: 'silent' });
    onTestFinished(() => engine.close());
    engine.work();
    const run = await engine.submit(grow, {}, { id: 'run' });
    const full = expect.objectContaining({ problem: 'full', effect: 'none' }) as unknown;
    const append = (): Promise<unknown> =>
      engine.journal.append('other', { payload: noise() }).then(
        () => undefined,
        (error: { readonly details: unknown }) => error.details,
      );
    await expect.poll(append, { interval: 1 }).toEqual(full);
    const before = await all(engine.journal.read('run'));
    expect((await run.summary()).status).not.toBe('completed');
    await disk.enlarge();
    await expect.poll(async () => (await run.summary()).status).toBe('completed');
    const after = await all(engine.journal.read('run'));
    expect(after.slice(0, before.length)).toEqual(before);
  });
});
