export type { Agent, AgentOptions, RecoveredAgent, ShutdownOptions, ShutdownReport } from './agent/agent.ts';
export type { AgentEvent, AgentPhase } from './agent/lifecycle.ts';
export { openAgent } from './agent/open-agent.ts';
export type { Listing } from './async/listing.ts';
export { channel } from './channel/channel.ts';
export type { Channels } from './channel/channels.ts';
export { counter } from './channel/counter.ts';
export type { Channel } from './channel/definition.ts';
export { list } from './channel/list.ts';
export { map } from './channel/map.ts';
export { messages } from './channel/messages.ts';
export { newest } from './channel/newest.ts';
export { type Replace, replace } from './channel/replace.ts';
export type { Delta, Deltas } from './delta/delta.ts';
export type { Engine, EngineOptions, RunQuery } from './engine/engine.ts';
export type {
  AnswerRunOptions,
  CommandOptions,
  DiffOptions,
  EffectOutcome,
  EndStatus,
  EventsOptions,
  HistoryOptions,
  Outcome,
  Run,
  RunEvent,
  RunLeaseInfo,
  RunOf,
  RunOptions,
  RunRefusal,
  RunSummary,
  StartedRun,
  SubmitOptions,
  TaskEvent,
  Wait,
  WaitingOptions,
  WaitSummary,
  WithinOptions,
} from './engine/graph-run.ts';
export type { Takeover } from './engine/lease/takeover.ts';
export { openEngine } from './engine/open.ts';
export type { StrandedRun } from './engine/query/check-graphs.ts';
export type { AnswerOptions, AskedHere, AskQuery, OpenAsk } from './engine/query/open-asks.ts';
export type { Retention } from './engine/retention/retention-options.ts';
export type { StoreUrl } from './engine/store-at.ts';
export type { ExportOptions } from './engine/transfer/export-run.ts';
export type { ImportOptions, ImportReport } from './engine/transfer/import-run.ts';
export { promote } from './engine/transfer/promote.ts';
export type { PromoteOptions, PromoteProgress, PromoteReport } from './engine/transfer/promotion.ts';
export type { Redact } from './engine/transfer/redact/redact.ts';
export type { Worker, WorkOptions } from './engine/worker-handle.ts';
export type { EngineEvent, Log, Logger, LogLevel, Observer, Span } from './env/observe/observer.ts';
export type { ErrorCode } from './errors/error-code.ts';
export type { ErrorDetails } from './errors/error-details.ts';
export { HoldfastError } from './errors/holdfast-error.ts';
export type { Ask, Asks, Receives } from './graph/ask.ts';
export { type Again, again } from './graph/body/again.ts';
export type { Receive, Received, Sleep } from './graph/body/waiting.ts';
export type { Builder } from './graph/builder.ts';
export type { Context, NodeContext } from './graph/context.ts';
export type { Declared } from './graph/declared.ts';
export { type Goto, goto } from './graph/goto.ts';
export { graph } from './graph/graph.ts';
export type { Definition } from './graph/graph-definition.ts';
export type { Migration } from './graph/migration.ts';
export type { EachFn, EachPolicy, InnerPolicy, NodeFn, NodePolicy } from './graph/node.ts';
export type { Policy, StepPolicy } from './graph/policy.ts';
export type { AnyGraph, AnyShape, Graph, GraphShape, Shape, ShapeOf, WorkflowShape } from './graph/shape.ts';
export type { StepFn, StepInfo } from './graph/step-fn.ts';
export type { GraphEdge, GraphNode, GraphStructure } from './graph/structure.ts';
export type { ContextOf, InputOf, OutputOf, StateOf } from './graph/types-of.ts';
export { workflow } from './graph/workflow.ts';
export type { Change } from './history/diff-states.ts';
export type { AppendOptions } from './journal/append-records.ts';
export type {
  Checkpoint,
  CheckpointHead,
  CheckpointMetadata,
  CheckpointStatus,
  JournalRunOptions,
  NewCheckpoint,
  NewState,
} from './journal/checkpoint/checkpoint.ts';
export type { ListOptions } from './journal/checkpoint/checkpoint-index.ts';
export type { Checkpoints } from './journal/checkpoint/checkpoints.ts';
export type { ForkOptions } from './journal/checkpoint/fork-checkpoint.ts';
export type { SavedCheckpoint } from './journal/checkpoint/save-checkpoint.ts';
export type { JournalRecord, RecordMatch } from './journal/journal-record.ts';
export type { Journals } from './journal/journals.ts';
export type { PrunePolicy, PruneReport } from './journal/prune-policy.ts';
export type { Corruption, VerifyReport } from './journal/verify.ts';
export type { NewRecord } from './record/check-new-record.ts';
export type { RecordSource } from './record/record.ts';
export type { RunKind, RunStatus } from './store/contract/run.ts';
export type { Store } from './store/store.ts';
export type { Clock } from './time/clock.ts';
export type { Until } from './time/deadline.ts';
export type { Duration } from './time/duration.ts';
export type { Bounds } from './value/bounds.ts';
export type { Encryption, EncryptionKey } from './value/secret/encryption-key.ts';
