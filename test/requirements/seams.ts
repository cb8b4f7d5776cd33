// Every place of the product that the mutants name. Whoever moves or renames one of these changes this file, and no other.

import type { nextPhase } from '../../packages/core/src/agent/lifecycle.ts';
import type { openAgent } from '../../packages/core/src/agent/open-agent.ts';
import type { momentToSave, recoveredAgent } from '../../packages/core/src/agent/saved-agent.ts';
import type { channel } from '../../packages/core/src/channel/channel.ts';
import type { counter } from '../../packages/core/src/channel/counter.ts';
import type { map } from '../../packages/core/src/channel/map.ts';
import type { messages } from '../../packages/core/src/channel/messages.ts';
import type { newest } from '../../packages/core/src/channel/newest.ts';
import type { copyItems } from '../../packages/core/src/channel/update/copy-items.ts';
import type { forkRun } from '../../packages/core/src/engine/command/fork-run.ts';
import type { resumeRun } from '../../packages/core/src/engine/command/resume-run.ts';
import type { workUntil } from '../../packages/core/src/engine/lease/work-loop.ts';
import type { listRuns } from '../../packages/core/src/engine/query/list-runs.ts';
import type { outcomeOf } from '../../packages/core/src/engine/query/outcome.ts';
import type { placeIn, readHistory } from '../../packages/core/src/engine/query/run-history.ts';
import type { connect, exitsOf } from '../../packages/core/src/graph/compile/connect.ts';
import type { invalidGraph } from '../../packages/core/src/graph/compile/problem.ts';
import type { segmentsOf } from '../../packages/core/src/history/lineage.ts';
import type { planRetention } from '../../packages/core/src/history/plan-retention.ts';
import type { isTerminal } from '../../packages/core/src/history/terminal.ts';
import type { checkNewCheckpoint } from '../../packages/core/src/journal/checkpoint/check-new-checkpoint.ts';
import type { createCheckpoints } from '../../packages/core/src/journal/checkpoint/checkpoints.ts';
import type { createJournals } from '../../packages/core/src/journal/journals.ts';
import type { checkNewRecord } from '../../packages/core/src/record/check-new-record.ts';
import type { decodeEntry } from '../../packages/core/src/record/record-codec.ts';
import type { isRecordSource } from '../../packages/core/src/record/record-source.ts';
import type { foldRecord } from '../../packages/core/src/runner/fold/fold-record.ts';
import type { finishStep } from '../../packages/core/src/runner/plan/finish-superstep.ts';
import type { nextFrontier } from '../../packages/core/src/runner/plan/next-frontier.ts';
import type { headerOf } from '../../packages/core/src/runner/plan/run-header.ts';
import type { pauseBefore, stepLimit } from '../../packages/core/src/runner/plan/run-limits.ts';
import type { fileStore } from '../../packages/core/src/store/file/open.ts';
import type { memoryStore } from '../../packages/core/src/store/memory/open.ts';
import type { compareSnapshots } from '../../packages/core/src/store/snapshot-order.ts';
import type { sqliteStore } from '../../packages/core/src/store/sqlite/open.ts';
import type { openDriver } from '../../packages/core/src/store/store.ts';
import type { parseCursor } from '../../packages/core/src/value/cursor.ts';
import type { checksum } from '../../packages/core/src/value/hash/checksum.ts';
import type { isRunId } from '../../packages/core/src/value/id.ts';
import type { Seam } from './mutant.ts';

function inCore<F>(file: string, name: string): Seam<F> {
  return { module: `packages/core/src/${file}`, name };
}

/** By layer. All of them are functions. */
export const seams = {
  nextPhase: inCore<typeof nextPhase>('agent/lifecycle.ts', 'nextPhase'),
  openAgent: inCore<typeof openAgent>('agent/open-agent.ts', 'openAgent'),
  momentToSave: inCore<typeof momentToSave>('agent/saved-agent.ts', 'momentToSave'),
  recoveredAgent: inCore<typeof recoveredAgent>('agent/saved-agent.ts', 'recoveredAgent'),

  forkRun: inCore<typeof forkRun>('engine/command/fork-run.ts', 'forkRun'),
  listRuns: inCore<typeof listRuns>('engine/query/list-runs.ts', 'listRuns'),
  outcomeOf: inCore<typeof outcomeOf>('engine/query/outcome.ts', 'outcomeOf'),
  resumeRun: inCore<typeof resumeRun>('engine/command/resume-run.ts', 'resumeRun'),
  placeIn: inCore<typeof placeIn>('engine/query/run-history.ts', 'placeIn'),
  readHistory: inCore<typeof readHistory>('engine/query/run-history.ts', 'readHistory'),
  workUntil: inCore<typeof workUntil>('engine/lease/work-loop.ts', 'workUntil'),

  finishStep: inCore<typeof finishStep>('runner/plan/finish-superstep.ts', 'finishStep'),
  foldRecord: inCore<typeof foldRecord>('runner/fold/fold-record.ts', 'foldRecord'),
  nextFrontier: inCore<typeof nextFrontier>('runner/plan/next-frontier.ts', 'nextFrontier'),
  headerOf: inCore<typeof headerOf>('runner/plan/run-header.ts', 'headerOf'),
  pauseBefore: inCore<typeof pauseBefore>('runner/plan/run-limits.ts', 'pauseBefore'),
  stepLimit: inCore<typeof stepLimit>('runner/plan/run-limits.ts', 'stepLimit'),

  checkNewCheckpoint: inCore<typeof checkNewCheckpoint>(
    'journal/checkpoint/check-new-checkpoint.ts',
    'checkNewCheckpoint',
  ),
  createCheckpoints: inCore<typeof createCheckpoints>('journal/checkpoint/checkpoints.ts', 'createCheckpoints'),
  createJournals: inCore<typeof createJournals>('journal/journals.ts', 'createJournals'),

  connect: inCore<typeof connect>('graph/compile/connect.ts', 'connect'),
  exitsOf: inCore<typeof exitsOf>('graph/compile/connect.ts', 'exitsOf'),
  invalidGraph: inCore<typeof invalidGraph>('graph/compile/problem.ts', 'invalidGraph'),

  segmentsOf: inCore<typeof segmentsOf>('history/lineage.ts', 'segmentsOf'),
  planRetention: inCore<typeof planRetention>('history/plan-retention.ts', 'planRetention'),
  isTerminal: inCore<typeof isTerminal>('history/terminal.ts', 'isTerminal'),

  memoryStore: inCore<typeof memoryStore>('store/memory/open.ts', 'memoryStore'),
  fileStore: inCore<typeof fileStore>('store/file/open.ts', 'fileStore'),
  sqliteStore: inCore<typeof sqliteStore>('store/sqlite/open.ts', 'sqliteStore'),
  openDriver: inCore<typeof openDriver>('store/store.ts', 'openDriver'),
  compareSnapshots: inCore<typeof compareSnapshots>('store/snapshot-order.ts', 'compareSnapshots'),

  channel: inCore<typeof channel>('channel/channel.ts', 'channel'),
  copyItems: inCore<typeof copyItems>('channel/update/copy-items.ts', 'copyItems'),
  counter: inCore<typeof counter>('channel/counter.ts', 'counter'),
  map: inCore<typeof map>('channel/map.ts', 'map'),
  messages: inCore<typeof messages>('channel/messages.ts', 'messages'),
  newest: inCore<typeof newest>('channel/newest.ts', 'newest'),

  checkNewRecord: inCore<typeof checkNewRecord>('record/check-new-record.ts', 'checkNewRecord'),
  isRecordSource: inCore<typeof isRecordSource>('record/record-source.ts', 'isRecordSource'),
  decodeEntry: inCore<typeof decodeEntry>('record/record-codec.ts', 'decodeEntry'),
  checksum: inCore<typeof checksum>('value/hash/checksum.ts', 'checksum'),
  parseCursor: inCore<typeof parseCursor>('value/cursor.ts', 'parseCursor'),
  isRunId: inCore<typeof isRunId>('value/id.ts', 'isRunId'),
} as const;

/** What mutants are made with. */
export { channel } from '../../packages/core/src/channel/channel.ts';
export type { ErrorCode } from '../../packages/core/src/errors/error-code.ts';
export type { ErrorDetails } from '../../packages/core/src/errors/error-details.ts';
export type { Keepable, Protection, RetentionPlan } from '../../packages/core/src/history/plan-retention.ts';
export type { GivenCheckpoint } from '../../packages/core/src/journal/checkpoint/check-new-checkpoint.ts';
export type { Checkpoint } from '../../packages/core/src/journal/checkpoint/checkpoint.ts';
export type { Checkpoints } from '../../packages/core/src/journal/checkpoint/checkpoints.ts';
export type { Journals } from '../../packages/core/src/journal/journals.ts';
export type { Entry, RecordSource } from '../../packages/core/src/record/record.ts';
export type { RunState } from '../../packages/core/src/runner/fold/run-state.ts';
export { defineStore, openDriver } from '../../packages/core/src/store/store.ts';
export { withCalls } from '../../packages/core/src/testing/with-calls.ts';
