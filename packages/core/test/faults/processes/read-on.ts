import type { CheckedStore } from '../../../src/store/checked-store.ts';
import { fillOf, type Payload } from '../workload/content.ts';
import { say } from '../workload/line.ts';

const page = 1_000;

/** Reads all there is, again and again: runs that were seen stay, heads never go back, commits are whole. */
export async function readOn(store: CheckedStore, isEnding: () => boolean): Promise<void> {
  const heads = new Map<string, number>();
  while (!isEnding()) {
    const headers = await store.runs({ order: 'oldest', limit: page });
    const found = new Map(headers.map(({ runId, head }) => [runId, head]));
    for (const [runId, head] of heads) {
      const now = found.get(runId);
      if (now === undefined) say({ type: 'wrong', what: `a reader saw run ${runId}, and then did not` });
      else if (now < head) say({ type: 'wrong', what: `a reader saw run ${runId} up to ${head}, then up to ${now}` });
    }
    for (const [runId, head] of found) {
      if (head > (heads.get(runId) ?? 0)) await readRun(store, runId, head);
      heads.set(runId, head);
    }
    say({ type: 'read', runs: found.size });
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
}

/** What a header says is there is there, whole, by the time that it is read. */
async function readRun(store: CheckedStore, runId: string, head: number): Promise<void> {
  const entries = await store.records({ runId, order: 'oldest', limit: page });
  const payloads = entries.map(({ payload }) => payload as Payload);
  const last = payloads.at(-1);
  if ((entries.at(-1)?.seq ?? 0) < head || last === undefined || last.at + 1 !== last.of)
    say({ type: 'wrong', what: `a reader saw run ${runId} up to ${head}, and ${entries.length} records of it` });
  if (payloads.some(({ fill, token, at }) => fill !== fillOf(token, at)))
    say({ type: 'wrong', what: `a reader saw records of run ${runId} that nobody wrote` });
}
