import type { Facts } from '../faults/runner/facts.ts';
import { jobs } from './jobs.ts';
import type { Played } from './play.ts';

interface ReportOptions {
  readonly facts: Facts;
  readonly played: readonly Played[];
  readonly workers: number;
  readonly processes: number;
  readonly tookMs: number;
}

/** The part of docs/reliability.md that a run writes. */
export function fleetSection({ facts, played, workers, processes, tookMs }: ReportOptions): string {
  const sound = played.filter(({ mutant }) => mutant === undefined);
  const broken = played.filter(({ mutant }) => mutant !== undefined);
  return [
    '### `npm run test:fleet`',
    '',
    `${facts.date} UTC, commit ${facts.commit}, on ${facts.machine}, Postgres 18, ${workers * processes} workers in ${processes} processes, in ${Math.round(tookMs / 60_000)} min.`,
    '',
    '| scene | what is done | rounds | super-steps | acknowledged | executed again, with a reason | lost, repeated, stale or otherwise wrong |',
    '|---|---|---|---|---|---|---|',
    ...sound.map(({ name, rounds, supersteps, acknowledged, surplus, violations }) => {
      return `| ${[name, jobs[name]?.does, rounds, supersteps, acknowledged, surplus, violations.length].join(' | ')} |`;
    }),
    '',
    ...sound.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}.`, ''])),
    '| mutant | scene | found |',
    '|---|---|---|',
    ...broken.map(({ name, mutant, violations }) => {
      const found = violations[0] === undefined ? '**no**' : (violations[0].split(':')[0] as string);
      return `| ${[mutant, name, found].join(' | ')} |`;
    }),
  ].join('\n');
}
