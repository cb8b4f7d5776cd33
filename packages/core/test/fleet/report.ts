import type { Facts } from '../faults/runner/facts.ts';
import type { Job } from './jobs.ts';
import type { Played } from './play.ts';

interface ReportOptions {
  readonly name: string;
  readonly jobs: Readonly<Record<string, Job>>;
  readonly facts: Facts;
  readonly played: readonly Played[];
  readonly workers: number;
  readonly processes: number;
  readonly servers: string;
  readonly leftOut: readonly string[];
  readonly tookMs: number;
}

/** The part of docs/reliability.md that a run writes. */
export function jobsSection(options: ReportOptions): string {
  const { name: command, jobs, facts, played, workers, processes, servers, leftOut, tookMs } = options;
  const sound = played.filter(({ mutant }) => mutant === undefined);
  const broken = played.filter(({ mutant }) => mutant !== undefined);
  return [
    `### \`npm run test:${command}\``,
    '',
    `${facts.date} UTC, commit ${facts.commit}, on ${facts.machine}, ${servers}, ${workers * processes} workers in ${processes} processes, in ${Math.round(tookMs / 60_000)} min.`,
    '',
    ...leftOut.flatMap((line) => [`Left out: ${line}.`, '']),
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
