import { cp, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mutantNamed } from '../mutants.ts';
import { databaseFile } from '../place/open-bare.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import type { Harness } from '../runner/harness.ts';
import type { LaneOrders, LaneResult } from '../runner/lane-result.ts';
import { filesClosed } from '../verify/files-closed.ts';
import { Ledger } from '../verify/ledger.ts';
import { lookAt } from '../verify/look-at.ts';
import type { Violation } from '../verify/violation.ts';
import type { AnyLine } from '../workload/line.ts';
import { creation } from '../workload/probe.ts';
import type { ScriptOrders } from '../workload/script.ts';
import {
  type Boundary,
  faultsOf,
  mostTelling,
  readBoundaries,
  readPaths,
  type SyscallFault,
  tracedCalls,
} from './boundary.ts';
import { type TracedRun, traceScript } from './strace.ts';

interface Try {
  readonly boundary: Boundary;
  readonly fault: SyscallFault;
  /** Whether lone commits are made at once, and not by a thread. */
  readonly atOnce: boolean;
}

/** Made by several threads, a call may fail in two of them: a process that dies does not come that far. */
const faultsAtOnce: readonly SyscallFault[] = ['KILL', 'EIO and die'];

/** What a process does can differ a little from one time to the next: a call that did not come is waited for again. */
const mostTries = 4;

const names = ['first', 'second', 'third'] as const;

/** Breaks every system call of a few commits, a trim, a removal, an opening and a closing, one after the other. */
export class SyscallCycles implements Harness {
  readonly #orders: LaneOrders;
  readonly #base: string;
  readonly #place: Place;
  readonly #log: string;
  /** What the untouched store of every try was told. */
  #before: readonly AnyLine[] = [];
  #paths: readonly string[] = [];
  #tries: Try[] = [];

  constructor(orders: LaneOrders) {
    const { directory, store, mutant } = orders;
    this.#orders = orders;
    this.#base = join(directory, 'base');
    this.#place = { store, mutant, directory: join(directory, 'store') };
    this.#log = join(directory, 'trace');
  }

  /** Makes a store to begin with, and finds out which calls the script makes. */
  async prepare(): Promise<this> {
    this.#before = await makeBase({ ...this.#place, directory: this.#base, mutant: undefined });
    await filesClosed(this.#base);
    if (this.#place.store === 'sqlite') await leaveLog(this.#base);
    await this.#copyBase();
    const { part = 0, parts = 1 } = this.#orders;
    const tries = (await this.#trace({ atOnce: false })).flatMap(triesOf);
    this.#tries = this.#order([...(await this.#triesAtOnce()), ...tries]).filter((_, at) => at % parts === part);
    return this;
  }

  /** The calls of a script that nothing is done to. */
  async #trace({ atOnce }: Pick<Try, 'atOnce'>): Promise<readonly Boundary[]> {
    await this.#copyBase();
    const options = ['-s', '64', '-e', `trace=${tracedCalls}`];
    const orders = this.#script({ fault: 'KILL', atOnce });
    const { trace, lines, errors } = await traceScript({ orders, log: this.#log, options, kills: false });
    if (lines.at(-1)?.type !== 'done')
      throw new Error(`The script fails without a fault: ${JSON.stringify(lines.at(-1))} ${errors}`);
    this.#paths = [...new Set([...this.#paths, ...readPaths(trace, this.#place.directory)])];
    return readBoundaries(trace, this.#place.directory);
  }

  /** Files only: the writes and syncs of commits that come alone, on the thread that makes them at once. */
  async #triesAtOnce(): Promise<readonly Try[]> {
    if (this.#place.store !== 'file') return [];
    const boundaries = (await this.#trace({ atOnce: true })).filter(
      ({ isMain, phase }) => isMain && phase === 'commit',
    );
    const isSound = this.#orders.mutant === undefined;
    if (!boundaries.some(({ syscall }) => syscall === 'fdatasync') && isSound)
      throw new Error('No commit was made at once.');
    return boundaries.flatMap((boundary) => faultsAtOnce.map((fault) => ({ boundary, fault, atOnce: true })));
  }

  async cycle(): Promise<LaneResult | undefined> {
    const next = this.#tries.shift();
    if (next === undefined) return undefined;
    const run = await this.#runUntilHit(next);
    const ledger = new Ledger();
    ledger.add(this.#before);
    const before = ledger.acknowledged;
    const told = [...ledger.add(run.lines), ...this.#judge(next, run)];
    const { violations, mended } = await lookAt({ ...this.#place, mutant: undefined }, ledger, 'probe');
    await filesClosed(this.#place.directory);
    const { syscall, n, phase, path } = next.boundary;
    const when = next.atOnce ? `${phase}, at once` : phase;
    const where = `${next.fault} at ${syscall} ${n} of ${path.slice(this.#place.directory.length)} (${when})`;
    const isHit = hasHit(next, run);
    return {
      cycles: 1,
      acknowledged: ledger.acknowledged - before,
      hits: isHit ? 1 : 0,
      mended,
      violations: [...told, ...violations].map(({ kind, what }) => ({ kind, what: `${where}: ${what}` })),
      notes: isHit ? [] : [`not hit: ${where}`],
    };
  }

  async close(): Promise<void> {
    await rm(this.#log, { force: true });
  }

  /** All tries; those that tell most come first where a mutant is looked for. */
  #order(all: readonly Try[]): readonly Try[] {
    const { mutant, outside = 1 } = this.#orders;
    if (mutant === undefined) {
      return all.filter(({ boundary: { phase, at } }) => phase === 'commit' || at % outside === 0);
    }
    const { shownBy } = mutantNamed(mutant);
    const tries = mostTelling(all);
    return [...tries.filter(({ fault }) => fault === shownBy), ...tries.filter(({ fault }) => fault !== shownBy)];
  }

  async #copyBase(): Promise<void> {
    await rm(this.#place.directory, { recursive: true, force: true });
    await cp(this.#base, this.#place.directory, { recursive: true });
  }

  #script({ fault, atOnce }: Omit<Try, 'boundary'>): ScriptOrders {
    return {
      place: this.#place,
      session: 'script',
      runs: ['probe-first', 'probe-second', 'probe-third'],
      dies: fault === 'EIO and die',
      atOnce,
    };
  }

  /** What can be told from the script's lines alone. */
  #judge(tried: Try, { lines, killed, errors }: TracedRun): readonly Violation[] {
    const violations: Violation[] = [];
    const {
      boundary: { phase },
      fault,
    } = tried;
    if (fault === 'EIO' || fault === 'ENOSPC') {
      const mayEnd = lines.at(-1)?.type === 'done' || phase === 'opening' || phase === 'closing';
      const last = `${JSON.stringify(lines.at(-1))} ${errors}`;
      if (!mayEnd) violations.push({ kind: 'unusable', what: `the script did not continue: ${last}` });
    }
    if (fault === 'KILL' || killed || phase !== 'commit' || !this.#poisons(tried)) return violations;
    const types = new Set(lines.map(({ type }) => type));
    if (!types.has('fault'))
      violations.push({ kind: 'promise', what: 'a sync failed, and the commit was acknowledged' });
    if (types.has('trusted'))
      violations.push({ kind: 'promise', what: 'a sync failed, and the store took another commit' });
    return violations;
  }

  /**
   * Whether a failure of the call must poison the store. Not that of a draft without room, which is taken away and
   * stands for nothing yet; and SQLite syncs the directory when it has made its log there, and does not look at what
   * comes of it.
   */
  #poisons({ boundary: { syscall, path }, fault }: Try): boolean {
    if (fault === 'ENOSPC' && path.endsWith('.tmp')) return false;
    if (this.#place.store === 'sqlite' && path === this.#place.directory) return false;
    return syscall === 'fsync' || syscall === 'fdatasync';
  }

  async #runUntilHit(next: Try): Promise<TracedRun> {
    for (let tries = 1; ; tries += 1) {
      await this.#copyBase();
      const run = await this.#runBroken(next);
      if (hasHit(next, run) || tries === mostTries) return run;
    }
  }

  #runBroken({ boundary: { syscall, n, nOfPath, path }, fault, atOnce }: Try): Promise<TracedRun> {
    const effect = fault === 'KILL' ? 'signal=KILL' : `error=${fault === 'ENOSPC' ? 'ENOSPC' : 'EIO'}`;
    // Threads are counted apart: those that write to other files would come upon the fault first.
    const [when, among] = atOnce ? [nOfPath, [path]] : [n, this.#paths];
    const paths = among.flatMap((each) => ['-P', each]);
    const options = [...paths, '-e', `trace=${syscall}`, '-e', `inject=${syscall}:${effect}:when=${when}`];
    return traceScript({ orders: this.#script({ fault, atOnce }), log: this.#log, options, kills: fault === 'KILL' });
  }
}

function triesOf(boundary: Boundary): readonly Try[] {
  return faultsOf(boundary).map((fault) => ({ boundary, fault, atOnce: false }));
}

/** Whether the fault came about. */
function hasHit({ fault }: Try, { killed, trace }: TracedRun): boolean {
  return fault === 'KILL' ? killed : trace.includes('(INJECTED)');
}

/** So large that its first commit brings it into the file; there is nothing in it, and SQLite begins it anew. */
const leftLogBytes = 9_000_000;

/** What a process that died may leave: the sync of the file is one of the calls of a commit then. */
async function leaveLog(directory: string): Promise<void> {
  await writeFile(join(directory, `${databaseFile}-wal`), '', { mode: 0o600 });
  await truncate(join(directory, `${databaseFile}-wal`), leftLogBytes);
}

/** A few runs with some records each. */
async function makeBase(place: Place): Promise<readonly AnyLine[]> {
  const store = await openPlace(place);
  const lines: AnyLine[] = [];
  for (const name of names) lines.push(await creation(store, name, { count: 6, kind: 'journal' }));
  await store.close();
  return lines;
}
