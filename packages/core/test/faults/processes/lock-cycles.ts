import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import type { Place } from '../place/open-place.ts';
import type { Harness } from '../runner/harness.ts';
import type { LaneOrders, LaneResult } from '../runner/lane-result.ts';
import { Ledger } from '../verify/ledger.ts';
import { lookAt } from '../verify/look-at.ts';
import type { Violation } from '../verify/violation.ts';
import type { AnyLine } from '../workload/line.ts';
import { ScriptProcess } from '../workload/script-process.ts';
import type { HolderOrders } from './holder.ts';

const contenders = 4;
/** So often a reader has read everything before the first writer dies. */
const leastReads = 2;

type Start = (how?: { readonly readOnly?: boolean }) => ScriptProcess;

/** What came of one cycle. */
interface Contest {
  readonly violations: readonly Violation[];
  /** Whether one of those who wanted the store of a dead process came upon another of them. */
  readonly haveMet: boolean;
}

/** Several processes want one store of files: one has it, and when that one dies exactly one of the others gets it. Somebody who only reads sees nothing of that. */
export class LockCycles implements Harness {
  readonly #orders: LaneOrders;
  readonly #random: () => number;
  #cycle = 0;
  #sessions = 0;

  constructor(orders: LaneOrders) {
    this.#orders = orders;
    this.#random = seededRandom(orders.seed);
  }

  async cycle(): Promise<LaneResult> {
    const { store, mutant, directory } = this.#orders;
    this.#cycle += 1;
    const place: Place = { store, mutant, directory: join(directory, `place-${this.#cycle}`) };
    const started: ScriptProcess[] = [];
    const start = ({ readOnly = false } = {}): ScriptProcess => {
      const process = this.#start(place, readOnly);
      started.push(process);
      return process;
    };
    const violations: Violation[] = [];
    let haveMet = false;
    try {
      const contest = await this.#contend(start);
      violations.push(...contest.violations);
      haveMet = contest.haveMet;
    } finally {
      await Promise.all(started.map((process) => process.kill()));
    }
    const ledger = new Ledger();
    violations.push(...started.flatMap(({ lines }) => ledger.add(lines)));
    const acknowledged = ledger.acknowledged;
    const look = await lookAt({ ...place, mutant: undefined }, ledger, 'probe');
    await rm(place.directory, { recursive: true, force: true });
    return {
      cycles: 1,
      acknowledged,
      hits: haveMet ? 1 : 0,
      mended: look.mended,
      violations: [...violations, ...look.violations],
    };
  }

  async close(): Promise<void> {}

  async #contend(start: Start): Promise<Contest> {
    const holder = start();
    await holder.said('open');
    if (!isOpen(holder))
      throw new Error(`The holder fails at its start: ${JSON.stringify(holder.lines)} ${holder.errors}`);
    const reader = start({ readOnly: true });
    await reader.said('read', leastReads);
    const isStopped = this.#random() < 0.5;
    // A process that stands still is not dead: its lock is not for the taking.
    if (isStopped) holder.stop();
    const late = start();
    await late.answered();
    const violations = [...refusal(late, holder)];
    if (isStopped) holder.continue();
    await sleep(this.#random() * 20);
    await holder.kill();
    const many = Array.from({ length: contenders }, () => start());
    await Promise.all(many.map((each) => each.answered()));
    const winners = many.filter(isOpen);
    const [winner] = winners;
    const losers = many.filter((each) => each !== winner);
    if (winners.length !== 1)
      violations.push({
        kind: 'promise',
        what: `${winners.length} of ${contenders} got the store of a dead process: ${many.map(told).join('; ')}`,
      });
    if (winner !== undefined)
      for (const loser of losers) if (!metOthers(loser)) violations.push(...refusal(loser, winner));
    const haveMet = losers.some((loser) => metOthers(loser) || isToldOf(loser, winner));
    await reader.saidAgain('read');
    await reader.saidAgain('read');
    await reader.end();
    if (reader.lines.at(-1)?.type !== 'done')
      violations.push({ kind: 'unusable', what: `a reader did not continue: ${told(reader)}` });
    return { violations, haveMet };
  }

  #start(place: Place, readOnly: boolean): ScriptProcess {
    this.#sessions += 1;
    const orders: HolderOrders = { place, session: `h${this.#sessions}`, readOnly };
    return new ScriptProcess('processes/holder', orders);
  }
}

function isOpen({ lines }: ScriptProcess): boolean {
  return lines.some(({ type }) => type === 'open');
}

/** What a process said first and last, and what it wrote to its error output. */
function told({ lines, errors }: ScriptProcess): string {
  return `${JSON.stringify(lines[0] ?? 'nothing')} ${JSON.stringify(lines.at(-1))} ${errors}`.trim();
}

/** What it was told when it could not open the store. */
function faultOf({ lines }: ScriptProcess): Extract<AnyLine, { readonly type: 'fault' }> | undefined {
  return lines.find((line) => line.type === 'fault');
}

/** Whether it and others wanted the store in the same moment, so that there was nobody to name yet. */
function metOthers(process: ScriptProcess): boolean {
  const fault = faultOf(process);
  return fault?.code === 'HOLDFAST_STORE_LOCKED' && fault.message.includes('Several processes');
}

function isToldOf(process: ScriptProcess, holder: ScriptProcess | undefined): boolean {
  return holder !== undefined && (faultOf(process)?.message.includes(`process ${holder.pid}`) ?? false);
}

/** Who comes late is told who has the store. */
function refusal(late: ScriptProcess, holder: ScriptProcess): readonly Violation[] {
  if (isOpen(late)) return [{ kind: 'promise', what: 'two processes have the store open for writing' }];
  const fault = faultOf(late);
  if (fault?.code !== 'HOLDFAST_STORE_LOCKED')
    return [{ kind: 'promise', what: `a second writer is told ${JSON.stringify(fault)} ${late.errors}` }];
  return isToldOf(late, holder)
    ? []
    : [{ kind: 'promise', what: `a second writer is not told who has the store: ${fault.message}` }];
}
