import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from '../place/open-place.ts';
import { onEnd } from '../runner/clean-up.ts';
import { command, lastCommand } from '../runner/command.ts';
import type { Harness } from '../runner/harness.ts';
import type { LaneOrders, LaneResult } from '../runner/lane-result.ts';
import { runChild } from '../runner/run-child.ts';
import { filesClosed } from '../verify/files-closed.ts';
import { Ledger } from '../verify/ledger.ts';
import { lookAt } from '../verify/look-at.ts';
import type { FullDiskOrders } from '../workload/full-disk-writer.ts';

const size = '8m';
const rounds = 5;

/** Fills up a small disk under a store, frees it and continues in the same process. */
export class FullDiskCycles implements Harness {
  readonly #orders: LaneOrders;
  readonly #mountPoint: string;
  #cycle = 0;
  #forget: () => void = () => {};

  constructor(orders: LaneOrders) {
    this.#orders = orders;
    this.#mountPoint = join(orders.directory, 'small');
  }

  async prepare(): Promise<this> {
    this.#forget = onEnd(() => lastCommand('umount', '--lazy', this.#mountPoint));
    mkdirSync(this.#mountPoint);
    await command('mount', '-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', this.#mountPoint);
    return this;
  }

  async cycle(): Promise<LaneResult> {
    const { store, mutant, seed } = this.#orders;
    this.#cycle += 1;
    const place: Place = { store, mutant, directory: join(this.#mountPoint, 'store') };
    await rm(place.directory, { recursive: true, force: true });
    const orders: FullDiskOrders = {
      place,
      session: `f${this.#cycle}`,
      seed: seed + this.#cycle,
      ballast: join(this.#mountPoint, 'ballast'),
      rounds,
    };
    const { lines, errors } = await runChild('workload/full-disk-writer', orders);
    if (!lines.some(({ type }) => type === 'open'))
      throw new Error(`The writer fails at its start: ${JSON.stringify(lines.at(-1))} ${errors}`);
    await rm(orders.ballast, { force: true });
    const ledger = new Ledger();
    const told = [...ledger.add(lines)];
    const refused = lines.filter(({ type }) => type === 'fault').length;
    if (lines.at(-1)?.type !== 'done')
      told.push({ kind: 'unusable', what: `the writer did not continue: ${JSON.stringify(lines.at(-1))} ${errors}` });
    const acknowledged = ledger.acknowledged;
    const { violations, mended } = await lookAt({ ...place, mutant: undefined }, ledger, `p${this.#cycle}`);
    await filesClosed(place.directory);
    return { cycles: 1, acknowledged, hits: refused > 0 ? 1 : 0, mended, violations: [...told, ...violations] };
  }

  async close(): Promise<void> {
    await command('umount', this.#mountPoint);
    this.#forget();
  }
}
