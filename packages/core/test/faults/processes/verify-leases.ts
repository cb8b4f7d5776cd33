import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { Violation } from '../verify/violation.ts';
import type { LeaseLine, OwnedPayload } from './lease-line.ts';

type Line<T extends LeaseLine['type']> = Extract<LeaseLine, { readonly type: T }>;

/** What workers said, by what it was about. */
export function linesOf<T extends LeaseLine['type']>(lines: readonly LeaseLine[], type: T): readonly Line<T>[] {
  return lines.filter((line): line is Line<T> => line.type === type);
}

/** Every fence was given to one worker, and not while another one was sure to hold the run. */
export function verifyClaims(lines: readonly LeaseLine[]): readonly Violation[] {
  const violations: Violation[] = [];
  const claims = linesOf(lines, 'claim').toSorted((left, right) => left.fence - right.fence);
  for (const claim of claims) {
    const { runId, fence, worker } = claim;
    const same = claims.find((other) => other !== claim && other.runId === runId && other.fence === fence);
    if (same !== undefined) violations.push({ kind: 'promise', what: `fence ${fence} of ${runId} was given twice` });
    const before = claims.findLast((other) => other.runId === runId && other.fence < fence);
    if (before !== undefined && before.worker !== worker && isHeld(lines, before, claim.to)) {
      violations.push({
        kind: 'promise',
        what: `${worker} took ${runId} with fence ${fence} while ${before.worker} held it`,
      });
    }
  }
  return violations;
}

/** Whether the claim was sure to hold at that moment: the lease had been renewed, and nobody had let go. */
function isHeld(lines: readonly LeaseLine[], { worker, runId, fence, to }: Line<'claim'>, at: number): boolean {
  const beats = linesOf(lines, 'beat').filter((beat) => beat.worker === worker && beat.to < at);
  const last = beats.at(-1);
  const isAlive = last !== undefined && last.from + last.leaseMs > at;
  const gone = linesOf(lines, 'release').some(
    (line) => line.worker === worker && line.runId === runId && line.fence === fence && line.from < at,
  );
  return isAlive && !gone && to < at;
}

/** No commit of an older fence comes after one of a newer; every acknowledged one is there. */
export async function verifyOwned(
  store: CheckedStore,
  runs: readonly string[],
  lines: readonly LeaseLine[],
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const claims = new Map(linesOf(lines, 'claim').map(({ runId, fence, worker }) => [`${runId} ${fence}`, worker]));
  for (const runId of runs) {
    const found = new Map<number, OwnedPayload>();
    let newest = 0;
    for (let after = 1; ; ) {
      const entries = await store.records({ runId, after, order: 'oldest', limit: 1_000 });
      for (const { seq, payload } of entries) {
        const { worker, fence } = payload as OwnedPayload;
        found.set(seq, { worker, fence });
        if (fence < newest)
          violations.push({
            kind: 'promise',
            what: `record ${seq} of ${runId} has fence ${fence}, after one with ${newest}`,
          });
        const claimant = claims.get(`${runId} ${fence}`);
        if (claimant !== undefined && claimant !== worker)
          violations.push({
            kind: 'promise',
            what: `record ${seq} of ${runId} is ${worker}'s, its fence ${claimant}'s`,
          });
        newest = Math.max(newest, fence);
        after = seq;
      }
      if (entries.length < 1_000) break;
    }
    for (const { seq, fence, worker } of linesOf(lines, 'owned').filter((line) => line.runId === runId)) {
      const record = found.get(seq);
      if (record?.fence !== fence || record.worker !== worker)
        violations.push({ kind: 'lost', what: `record ${seq} of ${runId}, acknowledged to ${worker}, is not there` });
    }
  }
  return violations;
}
