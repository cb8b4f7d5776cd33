import { never } from '../../async/never.ts';
import type { Batch, BatchResult } from '../../store/contract/commit.ts';
import type { HintListener, StoreDriver } from '../../store/contract/driver.ts';
import type { ClaimRequest } from '../../store/contract/lease.ts';
import type { LoadQuery } from '../../store/contract/read.ts';

/** When a process dies: at which of its commits, counted from 1, before it is carried out or after. */
export interface Death {
  readonly commit: number;
  readonly when: 'before' | 'after';
}

/** Live events reach their readers within a few ticks. */
const ticksToHear = 10;

/** The driver of a process that dies at one of its commits: from then on nothing that it asked for settles. */
export class DyingDriver implements StoreDriver {
  readonly capabilities: StoreDriver['capabilities'];
  readonly died: Promise<void>;
  readonly #inside: StoreDriver;
  readonly #death: Death | undefined;
  readonly #stops: (() => void)[] = [];
  #die: () => void = () => undefined;
  #isDying = false;
  #isDead = false;
  #commits = 0;

  constructor(inside: StoreDriver, death: Death | undefined) {
    this.capabilities = inside.capabilities;
    this.#inside = inside;
    this.#death = death;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get commits(): number {
    return this.#commits;
  }

  async commit(batches: readonly Batch[]): Promise<readonly BatchResult[]> {
    if (this.#isDead || this.#isDying) return never();
    this.#commits += 1;
    if (this.#commits !== this.#death?.commit) return this.#alive(this.#inside.commit(batches));
    this.#isDying = true;
    // Whoever listens in this process is to hear of what happened before.
    for (let ticks = 0; ticks < ticksToHear; ticks += 1) await new Promise((resolve) => setImmediate(resolve));
    this.#isDead = true;
    if (this.#death.when === 'after') await this.#inside.commit(batches);
    for (const stop of this.#stops) stop();
    this.#die();
    return never();
  }

  resolveDoubt(batch: Batch): ReturnType<StoreDriver['resolveDoubt']> {
    return this.#ask(() => this.#inside.resolveDoubt(batch));
  }

  load(query: LoadQuery): ReturnType<StoreDriver['load']> {
    return this.#ask(() => this.#inside.load(query));
  }

  records(query: Parameters<StoreDriver['records']>[0]): ReturnType<StoreDriver['records']> {
    return this.#ask(() => this.#inside.records(query));
  }

  snapshots(query: Parameters<StoreDriver['snapshots']>[0]): ReturnType<StoreDriver['snapshots']> {
    return this.#ask(() => this.#inside.snapshots(query));
  }

  ids(query: Parameters<StoreDriver['ids']>[0]): ReturnType<StoreDriver['ids']> {
    return this.#ask(() => this.#inside.ids(query));
  }

  runs(query: Parameters<StoreDriver['runs']>[0]): ReturnType<StoreDriver['runs']> {
    return this.#ask(() => this.#inside.runs(query));
  }

  claim(request: ClaimRequest): ReturnType<StoreDriver['claim']> {
    return this.#ask(() => this.#inside.claim(request));
  }

  trim(plan: Parameters<StoreDriver['trim']>[0]): ReturnType<StoreDriver['trim']> {
    return this.#ask(() => this.#inside.trim(plan));
  }

  watch(listener: HintListener): () => void {
    const stop = this.#inside.watch((hint) => {
      if (!this.#isDead) listener(hint);
    });
    this.#stops.push(stop);
    return stop;
  }

  close(): Promise<void> {
    return this.#ask(() => this.#inside.close());
  }

  #ask<T>(call: () => Promise<T>): Promise<T> {
    return this.#isDead ? never() : this.#alive(call());
  }

  /** What comes back after the death is not heard any more. */
  async #alive<T>(answer: Promise<T>): Promise<T> {
    const value = await answer;
    return this.#isDead ? never() : value;
  }
}
