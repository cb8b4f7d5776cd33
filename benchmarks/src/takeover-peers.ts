import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hasPeers, peers } from './peers.ts';
import type { BenchServer } from './postgres/bench-server.ts';
import type { Figure } from './report.ts';

/** Those whose workers may continue what another one began. A saver of LangGraph's has no workers. */
const modules = ['openworkflow', 'dbos'] as const;
/** Nobody waits longer. */
const patienceMs = 60_000;

/** How long it takes until a second worker of each peer continues the run of one that was killed, once. */
export async function takeoverOfPeers({ cluster }: BenchServer): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  if (!hasPeers()) return figures;
  for (const module of modules) {
    const name = `takeover_${module}`;
    await cluster.primary.sql(`CREATE DATABASE ${name}`);
    const ms = await standstill(module, cluster.primary.url.replace(/[^/]*$/u, name));
    figures.push(
      ms === undefined
        ? { name: `${module}: after SIGKILL, not continued within`, value: patienceMs, unit: 'ms' }
        : { name: `${module}: after SIGKILL, once`, value: ms, unit: 'ms' },
    );
  }
  return figures;
}

/** Undefined: nobody continued it. */
async function standstill(module: string, url: string): Promise<number | undefined> {
  const holder = start(module, url, 'begin');
  try {
    await told(holder, 'step', patienceMs);
    const heir = start(module, url, 'continue');
    try {
      await told(heir, 'ready', patienceMs);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const startedAt = performance.now();
      holder.kill('SIGKILL');
      return (await told(heir, 'step', patienceMs)) ? performance.now() - startedAt : undefined;
    } finally {
      heir.kill('SIGKILL');
    }
  } finally {
    holder.kill('SIGKILL');
  }
}

function start(module: string, url: string, order: 'begin' | 'continue'): ChildProcess {
  return fork(fileURLToPath(new URL('takeover-child.js', peers)), [module, url, order]);
}

/** Waits for a message. False: it did not come. */
async function told(child: ChildProcess, what: string, ms: number): Promise<boolean> {
  const signal = AbortSignal.timeout(ms);
  try {
    for (;;) {
      const [message] = (await once(child, 'message', { signal })) as [unknown];
      if (message === what) return true;
    }
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
