// The run's Postgres server: tests that need one start it in this folder, and it ends with the run.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderVariable, stopServer } from '../packages/core/src/testing/postgres/server.ts';

export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-postgres-'));
  chmodSync(folder, 0o755);
  process.env[folderVariable] = folder;
  process.env[`${folderVariable}_OWNER`] = String(process.pid);
  return () => stopServer(folder);
}
