import type { JournalRecord } from 'holdfast';
import { z } from 'zod';
import { type Json, plain } from '../../json/plain.ts';
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
    const run = await call.scope.run(runId);
    const { journal } = call.engine;
    const found: JournalRecord[] = [];
    if (tail !== undefined) found.push(...(await journal.tail(runId, tail, { kind })));
    else if (after < run.head) {
      const from = after === 0 ? undefined : `${runId}@${after}`;
      for await (const record of journal.read(runId, { kind, after: from })) {
        found.push(record);
        if (found.length === limit) break;
      }
    }
    const seen = await call.scope.seen(found.map((record) => record.runId));
    const records = found.filter((record) => seen.has(record.runId)).map((record) => recordJson(call, record));
    const next = tail === undefined && found.length === limit ? (found.at(-1)?.seq ?? null) : null;
    return { records, next };
  },
});

function recordJson({ redactor }: Call, record: JournalRecord): RecordJson {
  const { runId, seq, id, kind, source, at, labels, meta, payload } = record;
  const shown = { runId, seq, id, kind, source, at: at.toISOString(), labels };
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
