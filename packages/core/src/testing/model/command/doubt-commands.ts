import assert from 'node:assert/strict';
import { sealBatch } from '../../../store/commit/encode.ts';
import type { Batch } from '../../../store/contract/commit.ts';
import type { Command } from '../command.ts';
import type { Session } from '../session.ts';
import { someCommit } from './write-commands.ts';

/** A batch is in doubt: it was made or not, others may write before it is settled, and it arrives late. */
export const settleDoubt: Command = async (session, dice) => {
  // Where calls fail, the checked store has doubts of its own to settle.
  if (session.faulty) return session.commit(someCommit(session, dice));
  const commit = someCommit(session, dice);
  const epoch = dice.oneIn(6) ? 0 : session.model.epochOf(commit.runId);
  const token = `doubt-${session.entries}`;
  const at = session.bench.store.clock.now();
  const batch: Batch = { ...sealBatch(commit, { token, at, keyring: undefined }), epoch };
  const send = async (): Promise<void> => {
    const [result] = await session.bench.driver.commit([batch]);
    const expected = session.model.arrive(commit, { token, epoch, at });
    assert.equal(result?.ok === true ? 'ok' : result?.why, expected.ok ? 'ok' : expected.why);
    if (expected.ok && commit.writer.by === 'creator' && commit.writer.of.worker !== null) {
      session.leases.push({ runId: commit.runId, worker: commit.writer.of.worker, fence: 1 });
    }
  };
  session.note(`${commit.writer.by} commit of ${commit.runId} after ${commit.expect} in doubt, epoch ${epoch}`);
  if (dice.oneIn(2)) await send();
  if (dice.oneIn(3)) await session.commit(someCommit(session, dice));
  await settle(session, batch);
  if (dice.oneIn(2)) await session.commit(someCommit(session, dice));
  await send();
};

async function settle(session: Session, batch: Batch): Promise<void> {
  const result = await session.bench.driver.resolveDoubt(batch);
  const expected = session.model.resolveDoubt(batch);
  session.note(`  → ${result.outcome}`);
  assert.equal(result.outcome, expected);
  if (result.outcome !== 'absent') return;
  assert.equal(result.epoch, session.model.epochOf(batch.runId));
  session.sameHeaders([result.found], [session.model.find(batch.runId)?.header]);
}
