import type { Finding } from './finding.ts';
import type { HarnessName } from './harnesses.ts';
import { LaneProcess } from './lane-process.ts';

/** Something that was found, and how to see it again. */
export interface Found extends Finding {
  readonly harness: HarnessName;
  readonly seed: number;
}

/** What to try, and for how long. */
export interface FuzzOptions {
  readonly harness: HarnessName;
  /** The program that tries cases. */
  readonly lane: string;
  readonly lanes: number;
  readonly from: number;
  /** How long a case may take; default 2 seconds. */
  readonly watchdogMs?: number | undefined;
  /** Whether to continue after so many cases, with these findings. */
  readonly goesOn: (cases: number, found: readonly Found[]) => boolean;
}

/** What was tried, and found. */
export interface FuzzReport {
  readonly harness: HarnessName;
  readonly cases: number;
  readonly ms: number;
  readonly found: readonly Found[];
}

/** Tries one seed after another, in some processes side by side. */
export async function runFuzz({ harness, lane, lanes, from, watchdogMs, goesOn }: FuzzOptions): Promise<FuzzReport> {
  const startedMs = performance.now();
  const found: Found[] = [];
  let next = from;
  let cases = 0;
  const work = async (): Promise<void> => {
    const process = new LaneProcess(lane, watchdogMs);
    try {
      while (goesOn(cases, found)) {
        const seed = next;
        next += 1;
        for (const finding of await process.run(harness, seed)) found.push({ ...finding, harness, seed });
        cases += 1;
      }
    } finally {
      process.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return { harness, cases, ms: performance.now() - startedMs, found };
}

/** One of each kind of finding, with the seeds that show it: thousands of cases may find the same. */
export function summaryOf(found: readonly Found[]): readonly string[] {
  const groups = new Map<string, { readonly first: Found; readonly seeds: number[] }>();
  for (const each of found) {
    const { harness, seed } = each;
    const key = `${harness} ${each.kind} ${signatureOf(each.what)}`;
    const group = groups.get(key) ?? { first: each, seeds: [] };
    if (group.seeds.length < 5 && !group.seeds.includes(seed)) group.seeds.push(seed);
    groups.set(key, group);
  }
  return [...groups.values()].map(
    ({ first, seeds }) => `${first.harness} ${first.kind}: ${first.what} (seeds ${seeds.join(', ')})`,
  );
}

/** Without the run and the numbers of the one case. */
function signatureOf(what: string): string {
  return what
    .replace(/^(\w+) [^:]*:/u, '$1:')
    .replace(/"[^"]*"/gu, '…')
    .replace(/[\w-]+@\d+/gu, 'run@n')
    .replace(/\d+/gu, 'n')
    .replace(/(?<=corrupt: ).*/u, '')
    .slice(0, 160);
}
