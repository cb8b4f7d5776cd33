import { readFileSync } from 'node:fs';
import type { Mutant } from './mutant.ts';

/** Mutants beside the store: what it asks about the processes of other workers is answered wrongly. */
export const machineMutants: readonly Mutant[] = [
  {
    name: 'stopped-is-dead',
    does: 'takes a process that stands still for a dead one',
    breaks: 'P4',
    stores: ['sqlite'],
    caughtBy: ['processes'],
    machine: (machine) => ({
      self: () => machine.self(),
      mayLive: (process) => machine.mayLive(process) && !isStopped(process.pid),
    }),
  },
  {
    name: 'other-is-dead',
    does: 'takes every other process for a dead one, as if none could be seen',
    breaks: 'P4',
    stores: ['sqlite'],
    caughtBy: ['processes'],
    machine: (machine) => ({
      self: () => machine.self(),
      mayLive: ({ pid }) => pid === machine.self().pid,
    }),
  },
];

function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
