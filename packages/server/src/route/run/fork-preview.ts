import type { GraphStructure, JournalRecord } from 'holdfast';
import { z } from 'zod';
import { ApiError, noSuchCheckpoint } from '../../api-error.ts';
import { seqOf } from '../../caller/scope.ts';
import { jsonChanges } from '../../json/json-changes.ts';
import type { Json } from '../../json/plain.ts';
import type { ForkBody } from '../../schema/command.ts';
import { fields, id, nothing } from '../../schema/common.ts';
import { forkPreviewSchema } from '../../schema/timeline.ts';
import type { ForkNodeJson, ForkPreviewJson } from '../../schema/timeline-types.ts';
import type { CheckpointJson } from '../../schema/types.ts';
import { fieldsOf } from '../../timeline/record-fields.ts';
import { type Call, type Route, route, runParams } from '../route.ts';
import { checkpointsOf } from './checkpoints.ts';
import { checkpointOf } from './history.ts';

type PreviewBody = Pick<ForkBody, 'at' | 'set' | 'next'>;

const previewBody: z.ZodType<PreviewBody> = z.strictObject({
  at: id.optional(),
  set: fields(z.unknown()).optional(),
  next: z.array(z.string().max(256)).max(1_000).optional(),
});

const maxReused = 100;
/** How many records after the fork point are looked at for steps and effects. */
const maxRecords = 2_000;

const previewFork = route({
  id: 'previewFork',
  method: 'post',
  path: '/runs/{runId}/fork/preview',
  summary: 'Says what a fork would share, change and run. Creates nothing; fork itself checks the values of set.',
  access: 'read',
  params: runParams,
  query: nothing,
  body: previewBody,
  response: forkPreviewSchema,
  handle: (call, { params: { runId }, body }) => preview(call, runId, body),
});

async function preview(call: Call, runId: string, { at, set = {}, next }: PreviewBody): Promise<ForkPreviewJson> {
  const summary = await call.scope.run(runId);
  if (summary.kind === 'journal')
    throw new ApiError(409, 'HTTP_INVALID_REQUEST', 'Only its own code forks a journal run.');
  if (at !== undefined) await call.scope.place(at);
  const { id: checkpoint, state } = await checkpointOf(call, runId, at);
  const reused = await sharedUpTo(call, runId, checkpoint);
  const [newest] = reused;
  if (newest === undefined) throw noSuchCheckpoint();
  const first = next ?? newest.next;
  return {
    at: newest,
    next: first,
    reused,
    runs: await nodesOf(call, { runId, graph: summary.graph, seq: newest.seq, first }),
    ...patchOf(call, state, set),
  };
}

/** The checkpoint, and those before it. */
async function sharedUpTo(call: Call, runId: string, checkpoint: string): Promise<readonly CheckpointJson[]> {
  const before = `${runId}@${seqOf(checkpoint) + 1}`;
  const { checkpoints } = await checkpointsOf(call, runId, { before, limit: maxReused, isOwn: false });
  return checkpoints;
}

function patchOf(
  { redactor }: Call,
  state: unknown,
  set: Readonly<Record<string, unknown>>,
): Pick<ForkPreviewJson, 'patch' | 'unknown'> {
  const values = new Map(Object.entries(state as Readonly<Record<string, unknown>>));
  const patch = Object.entries(set).flatMap(([channel, value]) => {
    const before = values.get(channel);
    const shown = (each: unknown): Json => redactor.value(['state', channel], each);
    return jsonChanges(before === undefined ? undefined : shown(before), shown(value), `/${channel}`);
  });
  return { patch, unknown: Object.keys(set).filter((channel) => !values.has(channel)) };
}

interface From {
  readonly runId: string;
  readonly graph: string;
  readonly seq: number;
  /** The nodes that run first. */
  readonly first: readonly string[];
}

/** The nodes that the fork would run: those that are next, and those that its graph leads to from there. */
async function nodesOf(call: Call, { runId, graph, seq, first }: From): Promise<readonly ForkNodeJson[]> {
  const known = call.server.graphs.get(graph)?.structure();
  const done = await doneAfter(call, runId, seq);
  const nodes = known === undefined ? [...new Set([...first, ...done.keys()])] : reachable(known, first);
  return nodes.map((node) => ({
    node,
    isNext: first.includes(node),
    steps: [...(done.get(node)?.steps ?? [])],
    hasEffect: done.get(node)?.hasEffect ?? false,
  }));
}

/** Every node that the edges lead to, in the order of their distance. */
function reachable({ edges }: GraphStructure, first: readonly string[]): readonly string[] {
  const found = new Set(first);
  // A set that grows while it is read gives what was added, too.
  for (const node of found) for (const { from, to } of edges) if (from === node && to !== 'end') found.add(to);
  return [...found];
}

interface Done {
  readonly steps: Set<string>;
  hasEffect: boolean;
}

/** What the nodes did in the base after the fork point. */
async function doneAfter({ engine, scope }: Call, runId: string, seq: number): Promise<ReadonlyMap<string, Done>> {
  const done = new Map<string, Done>();
  let looked = 0;
  for await (const record of engine.journal.read(runId, { after: `${runId}@${seq}` })) {
    looked += 1;
    if (looked > maxRecords) break;
    if ((await scope.find(record.runId)) !== undefined) addDone(done, record);
  }
  return done;
}

function addDone(done: Map<string, Done>, record: JournalRecord): void {
  const { node, name, type, take, child } = fieldsOf(record);
  if (node === undefined || (record.kind !== 'result' && record.kind !== 'intent' && record.kind !== 'task')) return;
  const found = done.get(node) ?? { steps: new Set(), hasEffect: false };
  const isStep = record.kind !== 'task' && take === undefined && child === undefined && (type ?? 'step') === 'step';
  // Names that begin with a dot are not the user's.
  if (isStep && name?.startsWith('.') === false) found.steps.add(name);
  if (record.kind === 'intent') found.hasEffect = true;
  done.set(node, found);
}

/** Looking at a fork before it is made. */
export const forkPreviewRoutes: readonly Route[] = [previewFork];
