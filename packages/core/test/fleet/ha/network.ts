// The machines of the cluster: network namespaces where root may make them, addresses of the loopback device otherwise.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { serverUser } from '../../../src/testing/postgres/server.ts';
import { onEnd } from '../../faults/runner/clean-up.ts';
import { programEnv } from '../../faults/runner/program.ts';

/** A machine, as the others see it. */
export interface Machine {
  readonly name: string;
  /** Its address for the other machines. */
  readonly peer: string;
  /** Its address for haproxy and for us. */
  readonly client: string;
  /** How to start a program there, not as root. */
  readonly command: (program: string, values: readonly string[]) => readonly [string, ...string[]];
  /** Takes it off the network of the machines, and on request off that of the clients too. */
  readonly cut: (from: 'peers' | 'everyone') => void;
  readonly mend: () => void;
}

const names = ['n1', 'n2', 'n3'] as const;

/** Why there are no partitions here; undefined where there are. */
export function partitionsRefused(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const probe = `hf${process.pid}probe`;
  try {
    ip('netns', 'add', probe);
    ip('netns', 'del', probe);
    return undefined;
  } catch {
    return 'this machine refuses network namespaces (ip netns add, package iproute2)';
  }
}

/** Makes the machines; they are gone when the process ends. */
export function makeMachines(): { readonly machines: readonly Machine[]; readonly remove: () => void } {
  return partitionsRefused() === undefined ? inNamespaces() : onLoopback();
}

/** Two networks, so that a machine can lose its peers and keep its clients. */
function inNamespaces(): { readonly machines: readonly Machine[]; readonly remove: () => void } {
  const tag = `hf${randomInt(36 ** 4).toString(36)}`;
  const net = `10.${randomInt(64, 250)}`;
  const third = randomInt(0, 120) * 2;
  const nets = { p: `${net}.${third}`, c: `${net}.${third + 1}` } as const;
  const remove = (): void => {
    off();
    for (const name of names) quietly('netns', 'del', `${tag}${name}`);
    for (const which of ['p', 'c']) quietly('link', 'del', `${tag}${which}`);
  };
  const off = onEnd(remove);
  for (const which of ['p', 'c'] as const) ip('link', 'add', `${tag}${which}`, 'type', 'bridge');
  ip('addr', 'add', `${nets.c}.1/24`, 'dev', `${tag}c`);
  for (const which of ['p', 'c'] as const) ip('link', 'set', `${tag}${which}`, 'up');
  const machines = names.map((name, at): Machine => {
    const space = `${tag}${name}`;
    ip('netns', 'add', space);
    ip('-n', space, 'link', 'set', 'lo', 'up');
    for (const which of ['p', 'c'] as const) {
      const outer = `${space}${which}`;
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', which, 'netns', space);
      ip('link', 'set', outer, 'master', `${tag}${which}`, 'up');
      ip('-n', space, 'addr', 'add', `${nets[which]}.${11 + at}/24`, 'dev', which);
      ip('-n', space, 'link', 'set', which, 'up');
    }
    const set = (which: string, state: 'up' | 'down'): void => ip('link', 'set', `${space}${which}`, state);
    return {
      name,
      peer: `${nets.p}.${11 + at}`,
      client: `${nets.c}.${11 + at}`,
      command: (program, values) => ['ip', 'netns', 'exec', space, ...asServer(), program, ...values],
      cut: (from) => {
        set('p', 'down');
        if (from === 'everyone') set('c', 'down');
      },
      mend: () => {
        for (const which of ['p', 'c']) set(which, 'up');
      },
    };
  });
  return { machines, remove };
}

function onLoopback(): { readonly machines: readonly Machine[]; readonly remove: () => void } {
  const net = `127.${randomInt(64, 250)}.${randomInt(1, 250)}`;
  const none = (): never => {
    throw new Error('There are no partitions on the loopback device.');
  };
  const machines = names.map((name, at): Machine => {
    const address = `${net}.${11 + at}`;
    const command: Machine['command'] = (program, values) => {
      const [first, ...rest] = [...asServer(), program, ...values];
      return [first as string, ...rest];
    };
    return { name, peer: address, client: address, command, cut: none, mend: () => undefined };
  });
  return { machines, remove: () => undefined };
}

/** Postgres refuses to run as root. */
function asServer(): readonly string[] {
  const { uid, gid } = serverUser;
  return uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
}

function ip(...values: readonly string[]): void {
  execFileSync('ip', [...values], { env: programEnv, stdio: ['ignore', 'ignore', 'pipe'] });
}

function quietly(...values: readonly string[]): void {
  try {
    ip(...values);
  } catch {
    // It was never made, or is gone already.
  }
}
