import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Ends all processes of a Postgres server at once, as a crash of the machine would. */
export async function killServer(pid: number): Promise<void> {
  const { stdout } = await execute('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  for (const each of [pid, ...stdout.split('\n').map(Number)]) if (each > 1) tryKill(each);
  // The kernel takes a moment to end them, and a new server refuses shared memory that is in use.
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Signals a process that may have ended. */
export function tryKill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
