import type { Line } from '../worker/line.ts';
import type { Evidence } from './judge.ts';

/** A worker without its lock is dead when it shows no sign of life for so long; less a little for clocks that round. */
const quietMs = 390;

type Taken = Extract<Line, { readonly what: 'takeover' }>;

/**
 * Whether a worker that lost its lock may have looked dead: two looks that far apart fit between two of its commits. Each
 * commit reached the server after it was sent, and before it was acknowledged.
 */
export function wasQuiet({ from, at }: Taken, { lines, locksLostAt = [] }: Evidence): boolean {
  const lostAt = Math.max(...locksLostAt.filter((lost) => lost <= at));
  if (!Number.isFinite(lostAt)) return false;
  let latest = lostAt;
  for (const sign of signsOf(from, lines)) {
    if (sign.acknowledgedAt < lostAt) continue;
    if (sign.sentAt > at) break;
    if (Math.min(sign.acknowledgedAt, at) - latest >= quietMs) return true;
    latest = Math.max(latest, sign.sentAt);
  }
  return at - latest >= quietMs;
}

interface Sign {
  readonly sentAt: number;
  readonly acknowledgedAt: number;
}

/** The commits of a worker, in the order in which they were acknowledged. */
function signsOf(workerId: string, lines: readonly Line[]): readonly Sign[] {
  const sent = new Map<string, number>();
  const signs: Sign[] = [];
  for (const line of lines) {
    if (line.what !== 'sent' && line.what !== 'ack') continue;
    if (`w-${line.life}-${line.worker}` !== workerId) continue;
    const commit = `${line.run} ${line.token}`;
    if (line.what === 'sent') sent.set(commit, line.at);
    else signs.push({ sentAt: sent.get(commit) ?? line.at, acknowledgedAt: line.at });
  }
  return signs;
}
