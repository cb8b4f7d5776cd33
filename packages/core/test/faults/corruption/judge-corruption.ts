import { HoldfastError } from '../../../src/errors/holdfast-error.ts';
import { verifyStore } from '../../../src/journal/verify.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import { claimsItem, type ReadAll, readAll } from './read-all.ts';

/**
 * What became of corruption of a store.
 *
 * Good ends: `refused` when opening or any reading says no; `found` when reading everything says where it is, and gives
 * nothing that was not written; `unchanged` when every reader gets exactly what was written.
 * `verified`: an index leaves something out or leads astray, which no reader can see, and verify says so; good only where
 * the corruption was of the file of a database.
 * `mended`: what is gone was said to be torn and cut off; good only where the corruption was a torn end.
 *
 * Bad ends: `wrong` when a reader gets something else than was written, and nobody says so; `lost` when something is gone
 * and nobody says so; `nowhere` when corruption is told without its place; `unverified` when reading finds it and verify does
 * not; `crashed` when an error without a code came out.
 */
export type Verdict =
  | 'refused'
  | 'found'
  | 'unchanged'
  | 'verified'
  | 'mended'
  | 'wrong'
  | 'lost'
  | 'nowhere'
  | 'unverified'
  | 'crashed';

/** A verdict and what it rests on. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly why: string;
}

interface CorruptStore {
  /** Opens the corrupt store; warnings are told. */
  readonly open: (warn: (message: string) => void) => Promise<CheckedStore>;
  /** Opens another copy of it, for a second reader: the first one may have mended something, or has it in memory. */
  readonly reopen?: CorruptStore['open'] | undefined;
  /** What a reader got before the corruption. */
  readonly original: ReadAll;
  /** What a reader got before the last commit, where that one is corrupt. */
  readonly earlier?: ReadAll | undefined;
}

const refusals = [
  'HOLDFAST_CORRUPT',
  'HOLDFAST_UNKNOWN_FORMAT',
  'HOLDFAST_STORE_FOREIGN',
  'HOLDFAST_STORE_LOCKED',
  'HOLDFAST_STORE_UNSAFE',
] as const;

/** Reads all of a corrupt store as a user would, and judges what came of it. */
export async function judgeCorruption({ open, reopen, original, earlier }: CorruptStore): Promise<Judgement> {
  const warnings: string[] = [];
  let store: CheckedStore | undefined;
  try {
    store = await open((message) => warnings.push(message));
    const read = await readAll(store);
    await store.close();
    const seen = judge({ read, original, earlier, warnings });
    return mayBeVerified(seen, read) && (await isVerified(reopen ?? open))
      ? { ...seen, verdict: seen.verdict === 'unverified' ? 'found' : 'verified' }
      : seen;
  } catch (error) {
    if (refusals.some((code) => HoldfastError.is(error, code))) return { verdict: 'refused', why: String(error) };
    return { verdict: 'crashed', why: error instanceof Error ? `${error.stack}` : String(error) };
  } finally {
    await store?.close().catch(() => {});
  }
}

/** What verify has to find as well; and what it may find alone, because a reader gets what an index leads it to. */
function mayBeVerified({ verdict, why }: Judgement, { corruption }: ReadAll): boolean {
  if (corruption.length > 0) return verdict === 'unverified';
  return verdict === 'lost' || (verdict === 'wrong' && why.startsWith(claimsItem));
}

async function isVerified(open: CorruptStore['open']): Promise<boolean> {
  const store = await open(() => {});
  try {
    return !(await verifyStore(store)).ok;
  } finally {
    await store.close().catch(() => {});
  }
}

interface Evidence {
  readonly read: ReadAll;
  readonly original: ReadAll;
  readonly earlier: ReadAll | undefined;
  readonly warnings: readonly string[];
}

/** What reading alone tells; corruption that it found is not verified yet. */
function judge({ read, original, earlier, warnings }: Evidence): Judgement {
  const [corruption] = read.corruption;
  const changes = differing(read, original);
  // A corrupt run is not given to a worker: fewer claims than there would be are as it should be.
  const [changed] = corruption === undefined ? changes : changes.filter((change) => !change.startsWith(claimsItem));
  if (corruption !== undefined) {
    if (changed !== undefined) return { verdict: 'wrong', why: `${changed}; though ${corruption.what}` };
    if (corruption.where === '') return { verdict: 'nowhere', why: corruption.what };
    // Leases are read by claims alone; verify claims nothing.
    const isOfLeases = read.corruption.every(({ part }) => part === claimsItem);
    return { verdict: isOfLeases ? 'found' : 'unverified', why: `${corruption.where}: ${corruption.what}` };
  }
  const said = warnings.join('; ');
  if (earlier !== undefined && isSame(read, earlier)) return { verdict: said === '' ? 'lost' : 'mended', why: said };
  if (changed !== undefined) return { verdict: 'wrong', why: changed };
  const gone = [...original.items.keys()].filter((name) => !read.items.has(name));
  if (gone.length === 0) return { verdict: 'unchanged', why: said };
  return { verdict: said === '' ? 'lost' : 'mended', why: `${gone.join(', ')} gone; ${said}` };
}

function isSame(read: ReadAll, other: ReadAll): boolean {
  return read.items.size === other.items.size && differing(read, other).length === 0;
}

/** What was read and is not what was written. */
function differing(read: ReadAll, written: ReadAll): readonly string[] {
  const changed = [...read.items].filter(([name, item]) => written.items.get(name) !== item);
  return changed.map(([name, item]) => `${name}: read ${item}, written ${written.items.get(name)}`);
}

/** A case that ended badly, and how. */
interface BadCase {
  readonly verdict: Verdict;
  readonly what: string;
}

/** How many cases ended in each way, and the bad ones. */
export class CorruptionTally {
  readonly counts = new Map<Verdict, number>();
  readonly bad: BadCase[] = [];
  cases = 0;
  readonly #good: ReadonlySet<Verdict>;

  constructor(good: readonly Verdict[]) {
    this.#good = new Set(good);
  }

  add(what: string, { verdict, why }: Judgement): void {
    this.cases += 1;
    this.counts.set(verdict, (this.counts.get(verdict) ?? 0) + 1);
    if (!this.#good.has(verdict)) this.bad.push({ verdict, what: `${what}: ${verdict} (${why.slice(0, 300)})` });
  }
}
