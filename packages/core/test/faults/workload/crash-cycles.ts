import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import type { Place } from '../place/open-place.ts';
import type { Harness } from '../runner/harness.ts';
import type { LaneOrders, LaneResult } from '../runner/lane-result.ts';
import { filesClosed } from '../verify/files-closed.ts';
import { Ledger } from '../verify/ledger.ts';
import { type Look, lookAt } from '../verify/look-at.ts';
import type { Violation } from '../verify/violation.ts';
import type { AnyLine } from './line.ts';
import { ScriptProcess } from './script-process.ts';
import type { Span } from './span.ts';
import type { WriterOrders } from './writer.ts';

/** How a life ended. */
interface Crash {
  /** When the disk failed in front of the writer; undefined where the writer saw nothing of it. */
  readonly failure?: Span | undefined;
}

/** What a harness that crashes a writer does in its own way. */
export interface CrashMeans {
  /** An empty directory for a new store. */
  newDirectory(): Promise<string>;
  /** Ends the writer's life the hard way; the directory is there again afterwards. */
  crash(writer: ScriptProcess): Promise<Crash>;
  /** What the look at the store has written stays, whatever happens to the next writer. */
  keep(): Promise<void>;
  close(): void;
}

/** How many crashes a store sees before everything in it is read again and a new one takes its place. */
const livesOfAPlace = 25;

/** A life ends within so many groups of commits; most end sooner, since starting one takes longer than all it does. */
const mostGroups = 30;

/** Crashes one writer after the other and looks at what is left. Stops at the first violation. */
export class CrashCycles implements Harness {
  readonly #orders: LaneOrders;
  readonly #means: CrashMeans;
  readonly #random: () => number;
  #cycle = 0;
  #place: Place | undefined;
  #ledger = new Ledger();
  #next: ScriptProcess;

  constructor(orders: LaneOrders, means: CrashMeans) {
    this.#orders = orders;
    this.#means = means;
    this.#random = seededRandom(orders.seed);
    this.#next = this.#newWriter();
  }

  /** One life of a writer, its end, and the look afterwards. */
  async cycle(): Promise<LaneResult> {
    const place = await this.#renewedPlace();
    this.#cycle += 1;
    const writer = this.#next;
    await writer.said('ready');
    await this.#live(writer, place);
    const { failure } = await this.#means.crash(writer);
    this.#next = this.#newWriter();
    const before = this.#ledger.acknowledged;
    const faults = failure === undefined ? this.#faultsOf(writer) : [];
    const told = [...this.#ledger.add(writer.lines, failure), ...faults];
    const last = this.#cycle % livesOfAPlace === 0;
    if (last) this.#ledger.recheckAll();
    const { violations, mended } = await this.#look(place);
    return {
      cycles: 1,
      acknowledged: this.#ledger.acknowledged - before,
      hits: isInFlight(writer.lines, failure?.from) ? 1 : 0,
      mended,
      violations: [...told, ...violations],
    };
  }

  /** Ends the writer that waits for its orders. */
  async close(): Promise<void> {
    await this.#next.kill();
    this.#means.close();
  }

  #newWriter(): ScriptProcess {
    return new ScriptProcess('workload/writer', { store: this.#orders.store });
  }

  async #renewedPlace(): Promise<Place> {
    if (this.#place === undefined || this.#cycle % livesOfAPlace === 0) {
      const { store, mutant } = this.#orders;
      this.#place = { store, mutant, directory: await this.#means.newDirectory() };
      this.#ledger = new Ledger();
    }
    return this.#place;
  }

  /** Most writers die at work, some while they open the store and repair what the one before has left. */
  async #live(writer: ScriptProcess, place: Place): Promise<void> {
    const seed = Math.floor(this.#random() * 2 ** 31);
    const orders: WriterOrders = {
      place,
      session: `s${this.#orders.seed}-${this.#cycle}`,
      seed,
      slots: 1 + (seed % 8),
    };
    writer.order(orders);
    if (this.#random() < 0.1) return sleep(this.#random() * 20);
    await writer.said('group-start', 1 + Math.floor(this.#random() ** 2 * mostGroups));
    spin(this.#random() ** 2 * 3);
  }

  /** No call may fail before the crash. A first life that fails at once is no finding: nothing was tried. */
  #faultsOf({ lines, failure }: ScriptProcess): readonly Violation[] {
    const fault = lines.find((line) => line.type === 'fault');
    const what = `${fault === undefined ? '' : `${fault.during}: ${fault.code} ${fault.message} `}${failure ?? ''}`;
    if (what === '') return [];
    if (this.#cycle % livesOfAPlace === 1 && !lines.some(({ type }) => type === 'commit')) {
      throw new Error(`The writer fails at its start: ${what}`);
    }
    return [{ kind: 'unusable', what }];
  }

  async #look(place: Place): Promise<Look> {
    const look = await lookAt(place, this.#ledger, `p${this.#orders.seed}-${this.#cycle}`);
    await filesClosed(place.directory);
    await this.#means.keep();
    return look;
  }
}

/** Waits for less than a timer can: a timer would always end at the same places of a commit. */
function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Whether a commit was in flight at a moment; by default at the end of all that was said. */
function isInFlight(lines: readonly AnyLine[], at = Number.POSITIVE_INFINITY): boolean {
  const count = (wanted: 'group-start' | 'group-end'): number =>
    lines.filter((line) => line.type === wanted && line.at <= at).length;
  return count('group-start') > count('group-end');
}

/** A directory of its own for each store, cleared away when the next one comes. */
export function freshDirectories(under: string): () => Promise<string> {
  let count = 0;
  let last: string | undefined;
  return async () => {
    if (last !== undefined) await rm(last, { recursive: true, force: true });
    count += 1;
    last = join(under, `place-${count}`);
    await mkdir(last, { recursive: true, mode: 0o700 });
    return join(last, 'store');
  };
}
