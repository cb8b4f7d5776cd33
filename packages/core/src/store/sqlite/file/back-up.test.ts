import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../../test/program/bundle-program.ts';
import { openEngine } from '../../../engine/open.ts';
import { backUpSqlite } from './back-up.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Appends to three runs as fast as it can, prunes one of them, and says each acknowledged seq. */
const writerCode = `
import { openEngine } from './engine/open.ts';
const engine = await openEngine(process.argv[2], { executes: false });
for (let count = 1; ; count += 1) {
  const runs = ['a', 'b', 'c'];
  await Promise.all(runs.map((id) => engine.journal.append(id, { payload: 'x'.repeat(count % 500) })));
  await engine.checkpoints.save('loop', { state: { count, bag: 'y'.repeat(2000) } });
  if (count % 10 === 0) await engine.prune({ runId: 'loop', keep: 2 });
  process.stdout.write(count + '\\n');
}
`;

describe('backUpSqlite()', () => {
  test('copies a store while another process writes to it, with all that was acknowledged before', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'runs.db');
    const writer = spawn(process.execPath, [await bundleProgram('backup-writer', writerCode), `sqlite:${file}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = 0;
    writer.stdout.on('data', (chunk: Buffer) => {
      acknowledged = Number(chunk.toString().trimEnd().split('\n').at(-1));
    });
    try {
      for (let copy = 1; copy <= 4; copy += 1) {
        const wanted = copy * 25;
        while (acknowledged < wanted) await once(writer.stdout, 'data');
        const before = acknowledged;
        const target = join(folder, `copy-${copy}.db`);
        const { bytes } = await backUpSqlite(file, target);
        expect(statSync(target)).toMatchObject({ size: bytes });
        expect(statSync(target).mode & 0o777).toBe(0o600);
        await using engine = await openEngine(`sqlite:${target}`, { executes: false });
        expect(await engine.verify()).toMatchObject({ ok: true });
        for (const id of ['a', 'b', 'c']) {
          const [last] = await engine.journal.tail(id, 1);
          expect(last?.seq).toBeGreaterThanOrEqual(before);
        }
        // It is a store like any other.
        await engine.journal.append('a', { payload: 'restored' });
      }
      expect(writer.exitCode).toBeNull();
    } finally {
      const ended = once(writer, 'exit');
      writer.kill('SIGKILL');
      await ended;
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('never overwrites a file', async () => {
    const folder = temporaryFolder();
    const [file, target] = [join(folder, 'runs.db'), join(folder, 'taken')];
    await (await openEngine(`sqlite:${file}`)).close();
    writeFileSync(target, 'mine');
    await expect(backUpSqlite(file, target)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    expect(readFileSync(target, 'utf8')).toBe('mine');
    await expect(backUpSqlite(file, file)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test('creates no store that is not there', async () => {
    const folder = temporaryFolder();
    const missing = backUpSqlite(join(folder, 'runs.db'), join(folder, 'copy.db'));
    await expect(missing).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('says what the target lacks', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'runs.db');
    await (await openEngine(`sqlite:${file}`)).close();
    await expect(backUpSqlite(file, join(folder, 'none', 'copy.db'))).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      message: /copy\.db was not written: .*ENOENT/u,
    });
  });

  test('refuses a directory in which everybody could replace the copy', async () => {
    const folder = temporaryFolder();
    const [file, shared] = [join(folder, 'runs.db'), join(folder, 'shared')];
    await (await openEngine(`sqlite:${file}`)).close();
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    await expect(backUpSqlite(file, join(shared, 'copy.db'))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    expect(readdirSync(shared)).toEqual([]);
  });

  test('leaves nothing behind if the store is not one of ours', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'runs.db');
    writeFileSync(file, 'no database at all, and longer than a header of one would have to be'.repeat(20), {
      mode: 0o600,
    });
    await expect(backUpSqlite(file, join(folder, 'copy.db'))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FOREIGN' });
    expect(readdirSync(folder)).toEqual(['runs.db']);
  });
});
