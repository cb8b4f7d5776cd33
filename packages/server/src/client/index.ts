export type { Json } from '../json/plain.ts';
export type { CancelBody, ForkBody, PruneBody, ResumeBody, StartBody } from '../schema/command.ts';
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
export { Client, type PageOptions, type StartOptions } from './client.ts';
export type { EventsOptions } from './event-source.ts';
export { ClientError, type ClientOptions } from './http.ts';
export type { AsJson, EmitJsonOf, GraphName, GraphNamed, GraphsOf, InputJson, StateJsonOf } from './types.ts';
