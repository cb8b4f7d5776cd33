import { execFileSync } from 'node:child_process';
import { cpus, totalmem, type } from 'node:os';

/** What a result depends on, without the names of machines or paths. */
export interface Facts {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
}

/** The facts of this run; `code`: the digest of what was bundled, where that is known. */
export function readFacts(code?: string): Facts {
  const commit = git('rev-parse', '--short=12', 'HEAD');
  const isChanged = git('status', '--porcelain', '--', 'packages/core') !== '';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: `${commit ?? 'none yet'}${isChanged ? ' with changes' : ''}${code === undefined ? '' : ` (code ${code})`}`,
    machine: `${type()} ${process.arch}, ${cpus().length} cores, ${memory}, Node ${process.versions.node}`,
  };
}

function git(...values: readonly string[]): string | undefined {
  try {
    return execFileSync('git', values, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
