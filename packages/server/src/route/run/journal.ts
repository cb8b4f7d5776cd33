import type { JournalRecord } from 'holdfast';
import { z } from 'zod';
import { fitting } from '../../json/page.ts';
import { type Json, plain } from '../../json/plain.ts';
import { jsonText } from '../../json/text.ts';
import { count } from '../../schema/common.ts';
import { journalPageSchema } from '../../schema/look.ts';
import type { RecordJson } from '../../schema/types.ts';
import { type Call, type Route, route, runParams } from '../route.ts';

/** What a record says besides user data. All that is shown of it if something is to be hidden. */
const structural: ReadonlySet<string> = new Set([
  'again',
  'attempt',
  'child',
  'counts',
  'graph',
  'id',
  'item',
  'joins',
  'key',
  'kind',
  'n',
  'name',
  'next',
  'node',
  'of',
  'retryAt',
  'status',
  'take',
  'type',
  'until',
  'version',
  'wait',
  'when',
]);

const getJournal = route({
  id: 'getJournal',
  method: 'get',
  path: '/runs/{runId}/journal',
  summary: 'The records of a run and of the runs that it was forked from, oldest first; with tail, the last ones.',
  access: 'read',
  params: runParams,
  query: z.strictObject({
    after: count(0, 1_000_000_000_000, 0),
    limit: count(1, 1_000, 200),
    tail: count(1, 1_000),
    kind: z.string().max(64).optional(),
  }),
  response: journalPageSchema,
  async handle(call, { params: { runId }, query: { after, limit, tail, kind } }) {
    const { head } = await call.scope.run(runId);
    if (tail !== undefined) return { records: await lastOf(call, runId, { tail, kind }), next: null };
    if (after >= head) return { records: [], next: null };
    const records: RecordJson[] = [];
    let left = call.server.limits.pageLength;
    const from = after === 0 ? undefined : `${runId}@${after}`;
    for await (const record of call.engine.journal.read(runId, { kind, after: from })) {
      if (!(await isSeen(call, record))) continue;
      const shown = recordJson(call, record);
      left -= jsonText(shown).length;
      if (records.length === limit || (left < 0 && records.length > 0))
        return { records, next: records.at(-1)?.seq ?? null };
      records.push(shown);
    }
    return { records, next: null };
  },
});

async function lastOf(
  call: Call,
  runId: string,
  { tail, kind }: { readonly tail: number; readonly kind: string | undefined },
): Promise<readonly RecordJson[]> {
  const found: RecordJson[] = [];
  for (const record of await call.engine.journal.tail(runId, tail, { kind }))
    if (await isSeen(call, record)) found.push(recordJson(call, record));
  return fitting(found.toReversed(), call.server.limits.pageLength).toReversed();
}

/** The records of a base may be someone else's. */
async function isSeen({ scope }: Call, { runId }: JournalRecord): Promise<boolean> {
  return (await scope.find(runId)) !== undefined;
}

function recordJson({ redactor }: Call, record: JournalRecord): RecordJson {
  const { runId, seq, id, kind, source, at, labels, meta, payload } = record;
  const shown = {
    runId,
    seq,
    id,
    kind,
    source,
    at: at.toISOString(),
    labels: labels.map((each) => redactor.text(['label'], each)),
  };
  if (!redactor.isActive) return { ...shown, meta: plain(meta), payload: plain(payload) };
  return { ...shown, meta: {}, payload: structureOf(plain(payload)) };
}

/** A record has values in many forms: changes of states, texts of errors. What is not known to be harmless is left out. */
function structureOf(payload: Json): Json {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return null;
  return Object.fromEntries(
    Object.entries(payload).filter(
      ([key, value]) => structural.has(key) && (value === null || typeof value !== 'object'),
    ),
  );
}

/** The journal. */
export const journalRoutes: readonly Route[] = [getJournal];
