import type { RunSummary } from 'holdfast';
import { parseLimit } from '../../input/numbers.ts';
import { parseRunQuery } from '../../input/run-query.ts';
import type { Output } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

/** `holdfast runs [query]`. */
export const runs: CommandFn<{ readonly limit?: string }> = async (context, args, options) => {
  const { out } = context;
  const query = parseRunQuery(args);
  const limit = parseLimit(options.limit, 20);
  await using engine = await openToRead(context);
  // Ask for one more than is shown, to know whether there are more.
  const found: RunSummary[] = [];
  let isCut = false;
  const items = engine.runs({ ...query, ...(limit !== undefined && { limit: limit + 1 }) });
  async function* shown(): AsyncGenerator<RunSummary> {
    for await (const run of items) {
      isCut = found.length === limit;
      if (isCut) return;
      found.push(run);
      yield run;
    }
  }
  const count = await out.list({
    names: { all: 'runs', one: 'run' },
    items: shown(),
    human: (all) => runTable(out, all),
  });
  if (count === 0) out.hint(args.length === 0 ? 'No runs yet.' : 'No runs match the query.');
  const suspended = found.filter(({ status }) => status === 'suspended').length;
  if (suspended > 0) out.hint(`${suspended} suspended. Continue one with: holdfast resume RUN`);
  if (isCut) out.hint('There are more runs. Show all of them with --limit 0.');
  return 0;
};

/** Formats runs as a table. */
export function runTable(out: Output, runs: readonly RunSummary[]): readonly string[] {
  const rows = runs.map(({ id, graph, version, status, superstep, updatedAt, waits, forkedAt, parentId, refusals }) => [
    id,
    version > 1 ? `${graph} v${version}` : graph === '' ? '-' : graph,
    out.status(status),
    String(superstep),
    out.time(updatedAt),
    printable(
      [
        ...waits,
        ...(forkedAt === null ? [] : [`fork of ${forkedAt}`]),
        ...(parentId === null ? [] : [`child of ${parentId}`]),
        ...refusals.map(({ worker, code }) => `refused by ${worker} (${code})`),
      ].join(', '),
    ),
  ]);
  return out.table(['RUN', 'GRAPH', 'STATUS', 'SUPERSTEP', 'UPDATED', 'WAITING FOR'], rows);
}
