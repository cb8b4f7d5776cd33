import type { Files } from '../../../src/env/files.ts';
import { HoldfastError } from '../../../src/errors/holdfast-error.ts';
import { CheckedStore } from '../../../src/store/checked-store.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import { mortalFiles } from '../../../src/testing/disk/mortal-files.ts';
import type { SimulatedDisk } from '../../../src/testing/disk/simulated-disk.ts';
import { inThreads } from '../mutant/files-mutants.ts';
import type { Mutant } from '../mutant/mutant.ts';
import type { ViolationKind } from '../verify/violation.ts';
import { plainFiles } from './broken-files.ts';
import { difference, dumpAll, headOf, summarize } from './dump-run.ts';
import type { Ledger } from './ledger.ts';
import { LedgerDriver } from './ledger-driver.ts';
import { openSimulated } from './open-simulated.ts';
import { simulatedEnv, type Time } from './simulated-world.ts';
import type { Step } from './workload.ts';

/** What a store did that it must not do. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly kind: ViolationKind;

  constructor(kind: ViolationKind, what: string) {
    super(what);
    this.kind = kind;
  }
}

interface SessionOptions {
  readonly disk: SimulatedDisk;
  readonly ledger: Ledger;
  readonly time: Time;
  readonly seed: number;
  readonly mutant?: Mutant | undefined;
  readonly onAcknowledge?: (() => void) | undefined;
  /** Whether the disk fails at times: then an operation may fail, and is otherwise a violation. */
  readonly faulty?: boolean | undefined;
  /** The process is killed after so many changes of the disk, and the next one opens the store. */
  readonly diesAfter?: number | undefined;
}

/** A fault may last for a few calls; then whatever is tried again goes through. */
const triesAtMost = 6;

const downMs = 3_600_000;

/** A store on a simulated disk in use, with the ledger of what it has promised. */
export class Session {
  readonly ledger: Ledger;
  readonly warnings: string[] = [];
  readonly #options: SessionOptions;
  #opens = 0;
  #driver: StoreDriver | undefined;
  #store: CheckedStore | undefined;
  #mismatch: string | undefined;
  #isDead = false;
  #mortal: Files | undefined;
  #die: () => void = () => {};
  readonly #death = new Promise<void>((resolve) => {
    this.#die = resolve;
  });

  constructor(options: SessionOptions) {
    this.#options = options;
    this.ledger = options.ledger;
  }

  /** Opens the store, and is sure that it holds what it must and nothing else. */
  async open(): Promise<void> {
    await this.#outlive(() => this.#open());
  }

  /** Carries out a step; where the disk fails, does what an engine does then. */
  async carryOut(step: Step): Promise<void> {
    await this.#outlive(() => this.#carryOut(step));
    if (this.#mismatch !== undefined) throw new Violation('promise', this.#mismatch);
  }

  /** When the process is killed in the middle of it, the next one opens the store. */
  async #outlive(work: () => Promise<void>): Promise<void> {
    if (this.#isDead) return work();
    await Promise.race([work(), this.#death]);
    if (!this.#isDead) return;
    // What the dead process had asked for is done or not before anybody sees that it is dead.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    this.#store = undefined;
    await this.#open();
  }

  async #open(): Promise<void> {
    for (let tries = 1; this.#store === undefined; tries += 1) {
      try {
        await this.#openOnce();
      } catch (error) {
        if (!this.#options.faulty || tries === triesAtMost)
          throw new Violation('unusable', `cannot be opened: ${describe(error)}`);
      }
    }
    await this.lookAgain();
  }

  /** Reads everything, compares it with the ledger, and holds the store to it from now on. */
  async lookAgain(): Promise<void> {
    let found: ReadonlyMap<string, string>;
    try {
      found = await dumpAll(this.#driver as StoreDriver);
    } catch (error) {
      throw new Violation('unusable', `cannot be read: ${describe(error)}`);
    }
    const [wrong] = this.ledger.wrongIn(found);
    if (wrong !== undefined)
      throw new Violation(this.#kindOf(wrong, found.get(wrong)), this.#describeWrong(wrong, found.get(wrong)));
    this.ledger.settle(found);
  }

  /** What was refused is refused again, and what failed is written to the same place: old and new bytes may mix there. */
  async #carryOut(step: Step): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#attempt(step);
      } catch (error) {
        if (error instanceof Violation) throw error;
        if (!this.#options.faulty)
          throw new Violation('unusable', `${step.type} failed on a good disk: ${describe(error)}`);
        if (tries === triesAtMost)
          throw new Violation('unusable', `does not work again after a fault: ${describe(error)}`);
        await this.#recover();
        if (step.type !== 'commits') return;
      }
    }
  }

  /** Closes the store for good. */
  async close(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await store?.close();
  }

  async #attempt(step: Step): Promise<void> {
    const store = this.#store as CheckedStore;
    switch (step.type) {
      case 'commits': {
        const settled = await Promise.allSettled(step.commits.map((commit) => store.commit(commit)));
        for (const each of settled) if (each.status === 'rejected') throw each.reason;
        return;
      }
      case 'claim':
        await store.claim(step.request);
        return;
      case 'trim':
        await store.trim(step.trim);
        return;
      case 'reopen':
        await this.close();
        await this.#open();
        return;
      case 'kill':
        this.#store = undefined;
        await this.#open();
    }
  }

  /** A store that is poisoned, or whose close failed, is opened anew; any other must continue as it is. */
  async #recover(): Promise<void> {
    this.#options.time.nowMs += downMs;
    const poisoned = await this.#isPoisoned();
    if (poisoned) await this.close().catch(() => {});
    if (this.#store === undefined) await this.#open();
    else await this.lookAgain();
  }

  async #isPoisoned(): Promise<boolean> {
    try {
      await this.#store?.header('a');
      return false;
    } catch (error) {
      if (HoldfastError.is(error, 'HOLDFAST_STORE_POISONED')) return true;
      throw new Violation('unusable', `cannot be read after a fault: ${describe(error)}`);
    }
  }

  async #openOnce(): Promise<void> {
    // Longer than any lease: whether those are kept is not asked here.
    this.#options.time.nowMs += downMs;
    const { time, seed, mutant, onAcknowledge = () => {} } = this.#options;
    this.#opens += 1;
    // Every other workload knows only the calls that threads make.
    const files = seed % 2 === 0 ? inThreads(plainFiles(this.#files())) : this.#files();
    const env = simulatedEnv({
      files: mutant?.files?.(plainFiles(files)) ?? files,
      time,
      seed: seed + this.#opens,
      warn: (message) => this.warnings.push(message),
    });
    const opened = await openSimulated(env);
    this.#driver = new LedgerDriver({
      inside: mutant?.driver?.(opened) ?? opened,
      ledger: this.ledger,
      now: () => time.nowMs,
      onAcknowledge,
      onMismatch: (what) => {
        this.#mismatch ??= what;
      },
    });
    this.#store = new CheckedStore(this.#driver, env);
  }

  /** What the living process sees; the next one sees the disk itself. */
  #files(): Files {
    const { disk, diesAfter } = this.#options;
    if (diesAfter === undefined || this.#isDead) return disk;
    this.#mortal ??= mortalFiles(disk, {
      changes: diesAfter,
      onDeath: () => {
        this.#isDead = true;
        this.#die();
      },
    });
    return this.#mortal;
  }

  /** Of a run that is shorter than any that it may be something is lost; one that nobody wants any more is back. */
  #kindOf(runId: string, found: string | undefined): ViolationKind {
    const versions = this.ledger.versions(runId);
    if (found === undefined || versions.every((version) => version === undefined)) return 'lost';
    return versions.every((version) => version !== undefined && headOf(version) > headOf(found)) ? 'lost' : 'altered';
  }

  #describeWrong(runId: string, found: string | undefined): string {
    const versions = this.ledger.versions(runId).map((version) => `${summarize(version)}${difference(found, version)}`);
    return `run ${runId} is ${summarize(found)}\n  and must be ${versions.join('\n  or ')}`;
  }
}

function describe(error: unknown): string {
  return error instanceof Error
    ? HoldfastError.is(error)
      ? `${error.code} ${error.message}`
      : `${error.stack}`
    : String(error);
}
