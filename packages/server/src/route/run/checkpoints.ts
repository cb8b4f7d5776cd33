import type { CheckpointHead } from 'holdfast';
import { z } from 'zod';
import { runOf } from '../../caller/scope.ts';
import { checkpointJson, type Marks } from '../../json/checkpoint-json.ts';
import { plain } from '../../json/plain.ts';
import { count, id } from '../../schema/common.ts';
import { checkpointsPageSchema } from '../../schema/run.ts';
import type { CheckpointJson, CheckpointsPageJson } from '../../schema/types.ts';
import { fieldsOf } from '../../timeline/record-fields.ts';
import { type Call, type Route, route, runParams } from '../route.ts';

const listCheckpoints = route({
  id: 'listCheckpoints',
  method: 'get',
  path: '/runs/{runId}/checkpoints',
  summary:
    'Lists the checkpoints of a run and of the runs that it was forked from, newest first, with what each changed. With own=true only those of the run itself.',
  access: 'read',
  params: runParams,
  query: z.strictObject({
    before: id.optional(),
    limit: count(1, 500, 50),
    own: z.enum(['true', 'false']).default('false'),
  }),
  response: checkpointsPageSchema,
  async handle(call, { params, query: { before, limit, own } }) {
    if (before !== undefined) await call.scope.place(before);
    return checkpointsOf(call, params.runId, { before, limit, isOwn: own === 'true' });
  },
});

interface Page {
  readonly before?: string | undefined;
  readonly limit: number;
  /** Only those of the run itself, not of the runs that it was forked from. */
  readonly isOwn: boolean;
}

/** A page of checkpoints, newest first. */
export async function checkpointsOf(
  call: Call,
  runId: string,
  { before, limit, isOwn }: Page,
): Promise<CheckpointsPageJson> {
  // One more than is shown: what ran for a checkpoint is what the one before it said would run next.
  const found = await headsOf(call, runId, { before, limit: limit + 1 });
  const seen = await call.scope.seen(found.flatMap(({ runId: of, parentId }) => [of, ...others(parentId)]));
  const shown = found.filter((head) => seen.has(head.runId) && (!isOwn || head.runId === runId)).slice(0, limit);
  const marks = await marksOf(call, runId, shown);
  const checkpoints = shown.map((head): CheckpointJson => {
    const base = found[found.indexOf(head) + 1];
    return checkpointJson(call, head, { seen, mark: marks.get(head.seq), ran: base?.next ?? [] });
  });
  const isLast = found.length <= limit || shown.length < Math.min(limit, found.length);
  return { checkpoints, next: isLast ? null : (shown.at(-1)?.id ?? null) };
}

function others(parentId: string | null): readonly string[] {
  return parentId === null ? [] : [runOf(parentId)];
}

async function headsOf(
  { engine, scope }: Call,
  runId: string,
  { before, limit }: Omit<Page, 'isOwn'>,
): Promise<readonly CheckpointHead[]> {
  const { kind } = await scope.run(runId);
  if (kind === 'graph') return engine.get(runId).history({ limit, before }).toArray();
  const all = await engine.checkpoints.list(runId).toArray();
  const from = before === undefined ? 0 : all.findIndex(({ id: each }) => each === before) + 1;
  return all.slice(from, from + limit);
}

/** What the records of these checkpoints say. Records that were pruned say nothing. */
async function marksOf({ engine }: Call, runId: string, heads: readonly CheckpointHead[]): Promise<Marks> {
  const marks = new Map<number, ReturnType<typeof markOf>>();
  const [newest, oldest] = [heads[0], heads.at(-1)];
  if (newest === undefined || oldest === undefined) return marks;
  const wanted = new Set(heads.map(({ seq }) => seq));
  const after = oldest.seq <= 1 ? undefined : `${runId}@${oldest.seq - 1}`;
  for await (const record of engine.journal.read(runId, { after })) {
    if (record.seq > newest.seq) break;
    if (wanted.has(record.seq)) marks.set(record.seq, markOf(record.kind, record.payload));
  }
  return marks;
}

function markOf(kind: string, payload: unknown): NonNullable<ReturnType<Marks['get']>> {
  return {
    kind,
    changed: Object.keys(fieldsOf({ payload }).delta ?? {}),
    bytes: JSON.stringify(plain(payload)).length,
  };
}

/** Checkpoints. */
export const checkpointRoutes: readonly Route[] = [listCheckpoints];
