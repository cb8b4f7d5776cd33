import type { Keyring } from '../../value/secret/keyring.ts';
import { Bench } from '../bench.ts';
import type { CreatePlace } from '../store-place.ts';
import { settleDoubt } from './command/doubt-commands.ts';
import {
  askDuty,
  claimDue,
  claimOne,
  heartbeat,
  loseLease,
  raceForDue,
  refuse,
  release,
} from './command/lease-commands.ts';
import { compareAll, loadRun, readIds, readRecords, readRuns, readSnapshots } from './command/read-commands.ts';
import { passTime, reopen, trim } from './command/world-commands.ts';
import {
  commitAsExternal,
  commitAsJournal,
  commitAsOwner,
  commitEverywhere,
  createRun,
  forkRun,
  raceForHead,
  raceToCreate,
} from './command/write-commands.ts';
import type { Command } from './command.ts';
import { Dice } from './dice.ts';
import { Failures } from './failures.ts';
import type { ModelOptions } from './model-options.ts';
import { Session } from './session.ts';
import { Tally } from './tally.ts';

/** The commands, and how often each comes. */
const weights: readonly (readonly [number, Command])[] = [
  [8, createRun],
  [6, forkRun],
  [14, commitAsOwner],
  [8, commitAsExternal],
  [8, commitAsJournal],
  [4, raceForHead],
  [2, raceToCreate],
  [2, commitEverywhere],
  [6, settleDoubt],
  [6, loadRun],
  [6, readRecords],
  [4, readIds],
  [4, readSnapshots],
  [6, readRuns],
  [6, claimDue],
  [1, raceForDue],
  [5, claimOne],
  [7, heartbeat],
  [2, release],
  [3, refuse],
  [2, askDuty],
  [8, loseLease],
  [4, passTime],
  [7, trim],
  [2, reopen],
];

const deck: readonly Command[] = weights.flatMap(([weight, command]) => Array.from({ length: weight }, () => command));

/** How every sequence begins, so that the rest finds something to work on. */
const opening: readonly Command[] = [createRun, heartbeat, createRun];

interface CompareOptions {
  readonly create: CreatePlace;
  readonly model: ModelOptions;
  readonly numRuns: number;
  /** Whether calls of the driver are made to fail. */
  readonly faulty: boolean;
  /** False: a failure is reported as it was found, not made smaller. */
  readonly shrinks?: boolean | undefined;
  /** The checked store encrypts with these. */
  readonly keyring?: Keyring | undefined;
  /** What was tried is added to it. */
  readonly tally?: Tally | undefined;
}

/** Makes random sequences of calls to the store and to the model, and rejects when an answer differs. */
export async function compareWithModel({
  create,
  model,
  numRuns,
  faulty,
  shrinks = true,
  keyring,
  tally = new Tally(),
}: CompareOptions): Promise<Tally> {
  const { fc, seed, path } = model;
  const card = fc.tuple(fc.nat({ max: deck.length - 1 }), fc.maxSafeNat());
  const sequences = fc.noBias(fc.array(card, { minLength: 1, maxLength: 60, size: 'max' }));
  const property = fc.asyncProperty(sequences, fc.nat(), async (cards, faultSeed) => {
    const failures = faulty ? new Failures(faultSeed, tally) : undefined;
    await Bench.use({ create, wrap: failures?.wrap, keyring, waitsNever: faulty }, async (bench) => {
      const session = new Session({ bench, tally, faulty, now: await bench.now() });
      await play(session, cards, failures);
    });
  });
  const replay = { ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) };
  await fc.assert(property, { numRuns, endOnFailure: !shrinks, ...replay });
  return tally;
}

async function play(
  session: Session,
  cards: readonly (readonly [number, number])[],
  failures?: Failures,
): Promise<void> {
  try {
    for (const [at, [card, number]] of cards.entries()) await (opening[at] ?? deck[card])?.(session, new Dice(number));
    await failures?.end();
    await compareAll(session);
    session.tally.countSequence(cards.length);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The store and the model differ: ${what}\nafter\n${session.log.join('\n')}`, { cause });
  }
}
