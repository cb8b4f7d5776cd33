import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { mutantNamed } from '../mutants.ts';
import type { Facts } from './facts.ts';
import { type Job, type Mode, nameOf, problemOf } from './job.ts';
import type { JobProgress } from './progress-file.ts';

interface ReportOptions {
  readonly mode: Mode;
  readonly facts: Facts;
  readonly jobs: readonly Job[];
  readonly progressOf: (job: Job) => JobProgress | undefined;
  /** What was left out, and why. */
  readonly skipped: readonly string[];
  /** Of a run at one go. */
  readonly tookMs?: number | undefined;
}

/** The part of docs/reliability.md that a run writes. */
export function reportSection(options: ReportOptions): string {
  const { mode, facts, jobs, progressOf, skipped, tookMs } = options;
  const ran = jobs.flatMap((job) => {
    const progress = progressOf(job);
    return progress === undefined ? [] : [{ job, progress }];
  });
  const left = jobs.filter((job) => progressOf(job)?.done !== true).map(nameOf);
  const sound = ran.filter(({ job }) => job.mutant === undefined).map(({ job, progress }) => soundRow(job, progress));
  const broken = ran.filter(({ job }) => job.mutant !== undefined).map(({ job, progress }) => mutantRow(job, progress));
  return [
    `### \`npm run test:${mode}\``,
    '',
    ...(left.length === 0 ? [] : [`Not finished: ${left.join(', ')}.\n`]),
    `${facts.date} UTC, commit ${facts.commit}, on ${facts.machine}${tookMs === undefined ? '' : `, in ${duration(tookMs)}`}.`,
    '',
    ...skipped.map((what) => `Left out: ${what}.\n`),
    '| harness | store | cycles | acknowledged | hit | mended | lost, partial or otherwise wrong | time |',
    '|---|---|---|---|---|---|---|---|',
    ...sound,
    '',
    '| mutant | what it does | breaks | store | harness | caught |',
    '|---|---|---|---|---|---|',
    ...broken,
  ].join('\n');
}

function soundRow({ harness, store }: Job, { result, ms, done }: JobProgress): string {
  const { cycles, acknowledged, hits, mended, violations } = result;
  const share = cycles === 0 ? '' : `${Math.round((100 * hits) / cycles)}%`;
  const cells = [
    harness,
    store,
    done ? cycles : `${cycles} so far`,
    acknowledged,
    share,
    mended,
    violations.length,
    duration(ms),
  ];
  return `| ${cells.join(' | ')} |`;
}

function mutantRow(job: Job, { result }: JobProgress): string {
  const { does, breaks } = mutantNamed(job.mutant ?? '');
  const caught =
    result.violations[0] === undefined
      ? `**no**, in ${result.cycles} cycles`
      : `cycle ${result.cycles}, ${result.violations[0].kind}`;
  return `| ${[job.mutant, does, breaks, job.store, job.harness, caught].join(' | ')} |`;
}

function duration(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Puts the section between its markers, or at the end of the file. */
export function writeSection(path: string, mode: Mode | 'fuzz' | 'fleet' | 'ha', section: string): void {
  const begin = `<!-- test:${mode} begins; written by the runner -->`;
  const end = `<!-- test:${mode} ends -->`;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '# Reliability\n\n## Results\n';
  const block = `${begin}\n${section}\n${end}`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const isThere = from !== -1 && to > from;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    isThere ? text.slice(0, from) + block + text.slice(to + end.length) : `${text.trimEnd()}\n\n${block}\n`,
  );
}

/** All that went wrong, for a person who has to find out why. */
export function failureLines(jobs: readonly Job[], progressOf: ReportOptions['progressOf']): readonly string[] {
  return jobs.flatMap((job) => {
    const { result, error } = progressOf(job) ?? { result: undefined, error: 'not run' };
    const problem = error ?? (result === undefined ? undefined : problemOf(job, result));
    if (problem === undefined) return [];
    const rest = job.mutant === undefined ? (result?.violations ?? []).slice(1) : [];
    return [`${nameOf(job)}: ${problem}`, ...rest.map(({ kind, what }) => `  ${kind}: ${what}`)];
  });
}
