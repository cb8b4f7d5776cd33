import { mutantNamed } from '../mutants.ts';
import type { Facts } from './facts.ts';
import { type Job, type Mode, nameOf, problemOf } from './job.ts';
import type { JobProgress } from './progress-file.ts';
import { duration, sectionHead, tableOf } from './record.ts';

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
    ...sectionHead(`test:${mode}`, facts, tookMs),
    ...(left.length === 0 ? [] : [`Not finished: ${left.join(', ')}.\n`]),
    ...skipped.map((what) => `Left out: ${what}.\n`),
    ...tableOf(
      ['harness', 'store', 'cycles', 'acknowledged', 'hit', 'mended', 'lost, partial or otherwise wrong', 'time'],
      sound,
    ),
    '',
    ...tableOf(['mutant', 'what it does', 'breaks', 'store', 'harness', 'caught'], broken),
  ].join('\n');
}

function soundRow({ harness, store }: Job, { result, ms, done }: JobProgress): readonly (string | number)[] {
  const { cycles, acknowledged, hits, mended, violations } = result;
  const share = cycles === 0 ? '' : `${Math.round((100 * hits) / cycles)}%`;
  return [
    harness,
    store,
    done ? cycles : `${cycles} so far`,
    acknowledged,
    share,
    mended,
    violations.length,
    duration(ms),
  ];
}

function mutantRow({ mutant = '', store, harness }: Job, { result }: JobProgress): readonly string[] {
  const { does, breaks } = mutantNamed(mutant);
  const caught =
    result.violations[0] === undefined
      ? `**no**, in ${result.cycles} cycles`
      : `cycle ${result.cycles}, ${result.violations[0].kind}`;
  return [mutant, does, breaks, store, harness, caught];
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
