export type { Json } from '../json/plain.ts';
export type { CancelBody, ForkBody, PruneBody, ResumeBody, StartBody } from '../schema/command.ts';
export type {
  ErrorPartJson,
  ForkNodeJson,
  ForkPreviewJson,
  GraphCheckJson,
  QuestionJson,
  QuestionsJson,
  SpanJson,
  TakeoverJson,
  TimelineJson,
  VersionJson,
} from '../schema/timeline-types.ts';
export type {
  AskJson,
  AsksPageJson,
  CallerJson,
  ChangeJson,
  CheckpointJson,
  CheckpointsPageJson,
  CountJson,
  DiffJson,
  DoneJson,
  ErrorJson,
  EventJson,
  ForkTreeJson,
  GraphJson,
  GraphSizeJson,
  HealthJson,
  JournalPageJson,
  LeaseJson,
  OverviewJson,
  PrunedJson,
  RecordJson,
  RefusalJson,
  RunDetailsJson,
  RunJson,
  RunsPageJson,
  StartedJson,
  StateItem,
  StateJson,
  StateNode,
  StoreJson,
  WaitHeadJson,
  WaitJson,
} from '../schema/types.ts';
export type { SpanMark, SpanStatus } from '../timeline/span.ts';
export { Client, type PageOptions, type StartOptions } from './client.ts';
export type { EventsOptions } from './event-source.ts';
export { ClientError, type ClientOptions } from './http.ts';
export type {
  AnswersJsonOf,
  AsJson,
  EmitJsonOf,
  GraphName,
  GraphNamed,
  GraphsOf,
  InputJson,
  MessagesJsonOf,
  StateJsonOf,
} from './types.ts';
