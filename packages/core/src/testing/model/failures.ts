import type { StoreDriver } from '../../store/contract/driver.ts';
import { type FaultKind, type FaultPlan, type FaultyMethod, seededFaults } from '../fault/fault-plan.ts';
import { FaultyDriver } from '../fault/faulty-driver.ts';
import { Dice } from './dice.ts';
import { LateArrivals } from './late-arrivals.ts';
import type { Tally } from './tally.ts';

type Kinds = Readonly<Partial<Record<FaultyMethod, readonly FaultKind[]>>>;

const transient: readonly FaultKind[] = ['transient-none', 'transient-lost-request', 'transient-lost-answer'];
const reads: readonly FaultKind[] = ['none', 'lost-request', 'lost-answer', ...transient];
const commits: readonly FaultKind[] = [...reads, 'late-commit', 'late-commit', 'transient-late-commit'];
const poison: readonly FaultKind[] = ['poison', 'poison-lost-answer'];
const known: readonly FaultKind[] = ['none', 'transient-none'];

/** A lost answer to a claim or a trim cannot be looked up; the layers above let the lease end, or plan anew. */
const passing: Kinds = {
  commit: commits,
  // A doubt that nobody can settle leaves the caller in doubt for good.
  resolveDoubt: transient,
  load: reads,
  records: reads,
  snapshots: reads,
  ids: reads,
  runs: reads,
  claim: known,
  trim: known,
};
const lasting: Kinds = { ...passing, commit: [...commits, ...poison], resolveDoubt: [...transient, ...poison] };

/** Makes drivers fail in ways that a careful caller can live with; one plan for all the times that a place is opened. */
export class Failures {
  readonly #tally: Tally;
  readonly #late: LateArrivals;
  readonly #lasting: FaultPlan;
  readonly #passing: FaultPlan;
  #isOver = false;

  constructor(seed: number, tally: Tally) {
    this.#tally = tally;
    this.#late = new LateArrivals(new Dice(seed));
    this.#lasting = seededFaults({ seed, rate: 0.1, kinds: lasting });
    this.#passing = seededFaults({ seed, rate: 0.1, kinds: passing });
  }

  readonly wrap = (driver: StoreDriver): StoreDriver => {
    const plan = driver.capabilities.reopens ? this.#lasting : this.#passing;
    const counted: FaultPlan = (call) => {
      this.#late.countCall();
      const kind = this.#isOver ? undefined : plan(call);
      if (kind !== undefined) this.#tally.countFault(kind);
      return kind;
    };
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    return new FaultyDriver(driver, counted, { clock, onLate: (arrive) => this.#late.add(arrive) });
  };

  /** Nothing fails any more, and whatever is late arrives. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#late.flush();
  }
}
