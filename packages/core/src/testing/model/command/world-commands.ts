import assert from 'node:assert/strict';
import type { Trim } from '../../../store/check/check-request.ts';
import type { KnownId } from '../../../store/check/known-id.ts';
import { hashOfId } from '../../../store/commit/seal-id.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import { trimAll } from '../../contract/given.ts';
import { runIds, timeStepMs } from '../cast.ts';
import type { Command } from '../command.ts';
import type { Dice } from '../dice.ts';
import type { Session } from '../session.ts';

/** Lets time pass. */
export const passTime: Command = async (session, dice) => {
  const ms = timeStepMs * (1 + dice.roll(3));
  session.note(`${ms} ms pass`);
  await session.advance(ms);
};

/** Closes or crashes the store and opens it again, where that keeps what it has. */
export const reopen: Command = async (session, dice) => {
  const { bench } = session;
  if (!bench.store.capabilities.reopens) return;
  const crashes = dice.oneIn(2);
  session.note(crashes ? 'crash and open again' : 'close and open again');
  await (crashes ? bench.crash() : bench.reopen());
};

/** Carries out a retention plan. */
export const trim: Command = async (session, dice) => {
  const plan: Trim = { ...somePlan(session, dice), ...(dice.oneIn(4) ? { dryRun: true } : {}) };
  session.note(`trim ${JSON.stringify(plan)}`);
  const result = await session.persistence.ask((store) => trimAll(store, plan));
  const expected = session.model.trim(plan);
  if (!result.ok) return assert.deepEqual(result, expected);
  const { bytes, more, ...counts } = result;
  assert.equal(more, false);
  assert.deepEqual(counts, expected);
  assert.equal(bytes > 0, counts.records + counts.snapshots > 0);
};

/** A run to trim: often one that others stand on, sometimes a hidden one or none. */
function runToTrim(session: Session, dice: Dice): string {
  const bases = session.model.runs.flatMap(({ header }) => (header.forkedAt === null ? [] : [header.forkedAt.runId]));
  if (bases.length > 0 && dice.oneIn(2)) return dice.pick(bases);
  return dice.oneIn(4) ? dice.pick(runIds) : session.someRun(dice);
}

function somePlan(session: Session, dice: Dice): Trim {
  const runId = runToTrim(session, dice);
  const { header, snapshots = [] } = session.model.find(runId) ?? {};
  const seq = 1 + dice.roll((header?.head ?? 1) + 1);
  const kept = snapshots[dice.roll(Math.max(1, snapshots.length))];
  const others = snapshots.filter((snapshot) => snapshot !== kept);
  const drop = (dice.oneIn(2) ? others : snapshots.slice(-1)).map(({ covers, seq }) => ({ covers, seq }));
  const floor = someFloor({ session, dice, seq, covers: kept?.covers });
  const parts = dice.pick<Omit<Trim, 'runId'>>([
    floor,
    floor,
    { drop },
    // Planned for a head that the run may not have.
    { drop, head: (header?.head ?? 0) + dice.roll(2) },
    kept === undefined ? { drop } : { snapshot: { ...newParts(session), key: { covers: kept.covers, seq: kept.seq } } },
    // Not the snapshot that the floor needs.
    { ...floor, drop: drop.filter(({ covers }) => covers !== floor.floor) },
    { ...floor, forgetIds: someTime(session, dice) },
    { forgetIds: someTime(session, dice), ids: someIds(session, dice, header) },
    { hide: { keepTo: seq - 1 } },
    { ...floor, hide: { keepTo: floor.floor + dice.roll(3) } },
    { remove: true },
  ]);
  return { runId, ...parts };
}

/** About when some record was written. */
function someTime(session: Session, dice: Dice): number {
  return 1_000 + dice.roll(session.entries + 2);
}

/** An id of a record that the run does not have, because it was trimmed or is its base's. */
function someIds(session: Session, dice: Dice, header: RunHeader | undefined): readonly KnownId[] {
  const begin = Math.max(header?.floor ?? 0, header?.forkedAt?.seq ?? 0);
  if (begin === 0 || header?.hidden === true) return [];
  const id = hashOfId(`id-${1 + dice.roll(session.entries + 1)}`);
  return [{ id, seq: 1 + dice.roll(begin), at: someTime(session, dice), content: hashOfId('content') }];
}

interface FloorChoices {
  readonly session: Session;
  readonly dice: Dice;
  readonly seq: number;
  readonly covers: number | undefined;
}

/** A floor with a snapshot that is given or kept there, or with none. */
function someFloor({ session, dice, seq, covers = 0 }: FloorChoices): {
  readonly floor: number;
  readonly snapshot?: Trim['snapshot'];
} {
  if (covers > 0 && dice.oneIn(2)) return { floor: covers };
  const snapshot = newParts(session);
  return dice.oneIn(4) ? { floor: seq } : { floor: seq, snapshot };
}

function newParts({ entries }: Session): { readonly head: unknown; readonly body: unknown } {
  return { head: { at: entries }, body: { kept: entries } };
}
