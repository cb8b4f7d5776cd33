import { z } from 'zod';
import { invalidRequest } from '../../api-error.ts';
import { plain } from '../../json/plain.ts';
import { shownTags } from '../../json/run-json.ts';
import { jsonText } from '../../json/text.ts';
import { count, id, nothing } from '../../schema/common.ts';
import { asksPageSchema } from '../../schema/look.ts';
import type { AskJson, CountJson } from '../../schema/types.ts';
import { type Call, type Route, route } from '../route.ts';

const maxCounted = 100;

const listAsks = route({
  id: 'listAsks',
  method: 'get',
  path: '/asks',
  summary: 'Lists the open questions, oldest first, with the JSON Schema of their answers.',
  access: 'read',
  params: nothing,
  query: z.strictObject({
    graph: z.string().max(256).optional(),
    name: z.string().max(256).optional(),
    run: id.optional().describe('Only questions of this run and its child runs.'),
    after: id.optional(),
    limit: count(1, 200, 50),
  }),
  response: asksPageSchema,
  async handle(call, { query: { graph, name, run, after, limit } }) {
    if (run !== undefined) await call.scope.run(run);
    const asks: AskJson[] = [];
    let left = call.server.limits.pageLength;
    let isPast = after === undefined;
    for await (const ask of openAsks(call, { graph, name: isPast ? name : undefined, under: run })) {
      if (isPast && (name === undefined || ask.name === name)) {
        left -= jsonText(ask).length;
        if (asks.length === limit || (left < 0 && asks.length > 0)) return { asks, next: asks.at(-1)?.id ?? null };
        asks.push(ask);
      }
      isPast ||= ask.id === after;
    }
    // Answered in the meantime, or someone else's: an empty page would look like the end of the list.
    if (!isPast) throw invalidRequest('query.after: there is no such open question. Begin with the first page again.');
    return { asks, next: null };
  },
});

interface Wanted {
  readonly graph?: string | undefined;
  readonly name?: string | undefined;
  readonly under?: string | undefined;
}

async function* openAsks({ engine, scope, redactor }: Call, wanted: Wanted): AsyncGenerator<AskJson> {
  const tags = wanted.under === undefined ? scope.tags : undefined;
  for await (const ask of engine.asks({ ...wanted, ...(tags !== undefined && { tags }) })) {
    // Below a run, the engine follows its children, whatever their tags are.
    if (!(await scope.seen([ask.runId])).has(ask.runId)) continue;
    const { id, runId, graph, node, name, show, answerSchema, since, until } = ask;
    yield {
      id,
      runId,
      graph,
      node,
      name,
      show: redactor.value(['questions', name], show),
      answerSchema: plain(answerSchema),
      since: since.toISOString(),
      ...(until !== undefined && { until: until.toISOString() }),
      tags: shownTags(ask.tags, redactor),
    };
  }
}

/** Counts the open questions, up to a limit. */
export async function countAsks(call: Call): Promise<CountJson> {
  const asks = openAsks(call, {});
  let count = 0;
  while ((await asks.next()).done !== true) {
    if (count === maxCounted) {
      await asks.return(undefined);
      return { count, isCut: true };
    }
    count += 1;
  }
  return { count, isCut: false };
}

/** Questions. */
export const askRoutes: readonly Route[] = [listAsks];
