import type { Line } from '../worker/line.ts';
import type { Evidence, RunEnd } from './evidence.ts';
import { wasQuiet } from './signs-of-life.ts';

/** What the fleet did, and what it may not have done. */
export interface Verdict {
  readonly acknowledged: number;
  readonly supersteps: number;
  /** Bodies that were executed again. Each has an excuse, or is a violation. */
  readonly surplus: number;
  readonly violations: readonly string[];
}

/** Holds what happened against the promises. */
export function judge(evidence: Evidence): Verdict {
  const acks = evidence.lines.filter((line): line is Sent => line.what === 'ack');
  const bodies = bodiesOf(evidence.lines);
  const groups = [...bodies.values()];
  return {
    acknowledged: acks.length,
    supersteps: groups.length,
    surplus: groups.reduce((sum, group) => sum + group.length - 1, 0),
    violations: [
      ...lostCommits(evidence, acks),
      ...staleCommits(evidence),
      ...groups.flatMap((group) => repeatedBodies(group, evidence)),
      ...evidence.ends.flatMap(wrongEnd),
    ],
  };
}

type Sent = Extract<Line, { readonly what: 'sent' | 'ack' }>;
type Taken = Extract<Line, { readonly what: 'takeover' }>;
type Body = Extract<Line, { readonly what: 'body' }>;

/** 0 acknowledged steps lost: whatever was acknowledged is where it was written. */
function lostCommits({ rows }: Evidence, acks: readonly Sent[]): readonly string[] {
  const stored = new Set(rows.flatMap(({ run, commits }) => commits.map(({ token }) => `${run} ${token}`)));
  const lost = acks.filter(({ run, token, count }) => count > 0 && !stored.has(`${run} ${token}`));
  return lost.map(({ run, seq, life }) => `lost: ${run}@${seq}, acknowledged to life ${life}`);
}

/** 0 stale commits: nobody commits after someone with a higher fence. */
function staleCommits({ rows, lines }: Evidence): readonly string[] {
  const fences = new Map<string, number | null>();
  for (const line of lines) if (line.what === 'sent') fences.set(`${line.run} ${line.token}`, line.fence);
  const stale: string[] = [];
  for (const { run, commits } of rows) {
    let highest = 0;
    for (const { seq, token } of commits) {
      const fence = fences.get(`${run} ${token}`) ?? highest;
      if (fence < highest) stale.push(`stale: ${run}@${seq} was committed with fence ${fence} after ${highest}`);
      highest = Math.max(highest, fence);
    }
  }
  return stale;
}

interface Execution extends Body {
  /** When the commit of its super-step was acknowledged to the same life. */
  readonly ackedAt: number | undefined;
}

/** The executions of each super-step, in the order in which they began. */
function bodiesOf(lines: readonly Line[]): ReadonlyMap<string, readonly Execution[]> {
  const acksOf = new Map<string, Sent[]>();
  for (const line of lines) {
    if (line.what !== 'ack' || line.superstep === undefined) continue;
    const key = `${line.run} ${line.life}`;
    acksOf.set(key, [...(acksOf.get(key) ?? []), line]);
  }
  const bodies = new Map<string, Execution[]>();
  for (const line of lines.toSorted((a, b) => a.at - b.at)) {
    if (line.what !== 'body') continue;
    const key = `${line.run} ${line.n}`;
    const ackedAt = acksOf
      .get(`${line.run} ${line.life}`)
      ?.find(({ at, superstep = 0 }) => at >= line.at && superstep > line.n)?.at;
    bodies.set(key, [...(bodies.get(key) ?? []), { ...line, ackedAt }]);
  }
  return bodies;
}

/** 0 finished steps repeated, and no other one without a reason. */
function repeatedBodies(group: readonly Execution[], evidence: Evidence): readonly string[] {
  const { excuses, lines, mayExpire } = evidence;
  return group.slice(1).flatMap((again, at) => {
    const before = group[at] as Execution;
    const where = `${again.run} super-step ${again.n}, life ${before.life}, then ${again.life}`;
    if (before.ackedAt !== undefined && before.ackedAt < again.at) return [`repeated although finished: ${where}`];
    const isExcused = excuses.some(
      ({ lives, from, to }) => lives.includes(before.life) && to >= before.at && from <= again.at,
    );
    const takeover = lines.find((line): line is Taken => {
      return line.what === 'takeover' && line.run === again.run && line.at >= before.at && line.at <= again.at;
    });
    const hasExpired = mayExpire && takeover?.noticed === 'lease';
    if (isExcused || hasExpired) return [];
    if (takeover?.noticed === 'death' && wasQuiet(takeover, evidence)) return [];
    return [`released without a reason: ${where}\n${historyOf(lines, before, again)}`];
  });
}

/** What was written down about a run between its two executions, for a person who has to find out why. */
function historyOf(lines: readonly Line[], { run, at: from }: Body, { at: to }: Body): string {
  const about = lines.filter((line) => line.run === run && line.at >= from && line.at <= to);
  const told = about.toSorted((a, b) => a.at - b.at).map((line) => `    ${JSON.stringify(line)}`);
  return [...told.slice(0, 20), ...told.slice(20).slice(-5)].join('\n');
}

/** Every run comes to its end, and each of its super-steps is in the state once. */
function wrongEnd({ run, status, length, seen }: RunEnd): readonly string[] {
  if (status !== 'completed') return [`stuck: ${run} is ${status} at ${seen.length} of ${length}`];
  const isRight = seen.length === length && seen.every((n, at) => n === at);
  return isRight ? [] : [`wrong state: ${run} has ${seen.join(' ')}`];
}
