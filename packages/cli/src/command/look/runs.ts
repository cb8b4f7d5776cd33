import type { RunSummary } from 'holdfast';
import { parseLimit } from '../../input/numbers.ts';
import { parseRunQuery } from '../../input/run-query.ts';
import { dueText } from '../../live/left-run.ts';
import type { Output } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import { waitText } from '../../output/wait-text.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

interface RunsOptions {
  readonly limit?: string;
  readonly children: boolean;
}

/** `holdfast runs [query]`. */
export const runs: CommandFn<RunsOptions> = async (context, args, options) => {
  const { out, paste } = context;
  const query = parseRunQuery(args);
  const limit = parseLimit(options.limit, 20);
  await using engine = await openToRead(context);
  // One more than is shown, to know whether there are more. How many of them are children is not known.
  const atMost = limit === undefined || !options.children ? undefined : limit + 1;
  const found: RunSummary[] = [];
  const due = new Map<string, string>();
  let isCut = false;
  async function* shown(): AsyncGenerator<RunSummary> {
    for await (const run of engine.runs({ ...query, limit: atMost })) {
      if (!options.children && run.parentId !== null) continue;
      isCut = found.length === limit;
      if (isCut) return;
      found.push(run);
      const text = out.mode === 'human' ? await dueText(engine, run) : undefined;
      if (text !== undefined) due.set(run.id, text);
      yield run;
    }
  }
  const count = await out.list({
    names: { all: 'runs', one: 'run' },
    items: shown(),
    human: (all) => runTable(out, all, due),
  });
  if (count === 0) out.hint(args.length === 0 ? 'No runs yet.' : 'No runs match the query.');
  const suspended = found.filter(({ status }) => status === 'suspended').length;
  if (suspended > 0) out.hint(`${suspended} suspended. Continue one with: ${paste('resume RUN')}`);
  if (isCut) out.hint('There are more runs. Show all of them with --limit 0.');
  return 0;
};

/** Formats runs as a table. `due` has what the runs that could continue wait for. */
export function runTable(
  out: Output,
  runs: readonly RunSummary[],
  due: ReadonlyMap<string, string> = new Map(),
): readonly string[] {
  const rows = runs.map(({ id, graph, version, status, superstep, updatedAt, waits, forkedAt, parentId, refusals }) => [
    id,
    version > 1 ? `${graph} v${version}` : graph === '' ? '-' : graph,
    out.status(status),
    String(superstep),
    out.time(updatedAt),
    printable(
      [
        ...waitTexts(waits, due.get(id)),
        ...(forkedAt === null ? [] : [`fork of ${forkedAt}`]),
        ...(parentId === null ? [] : [`child of ${parentId}`]),
        ...refusals.map(({ worker, code }) => `refused by ${worker} (${code})`),
      ].join(', '),
    ),
  ]);
  return out.table(['RUN', 'GRAPH', 'STATUS', 'SUPERSTEP', 'UPDATED', 'WAITING FOR'], rows);
}

/** What a run waits for. If it is due, no longer for these: `approval: answered, no worker has this graph`. */
export function waitTexts(waits: RunSummary['waits'], due: string | undefined): readonly string[] {
  const texts = waits.map(waitText);
  if (due === undefined) return texts;
  return [texts.length === 0 ? due : `${texts.join(', ')}: ${due}`];
}
