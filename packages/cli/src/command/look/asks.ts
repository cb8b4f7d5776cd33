import type { OpenAsk } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import { parseLimit } from '../../input/numbers.ts';
import type { Output } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import { shortFields } from '../../output/short-value.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

interface AsksOptions {
  readonly graph?: string;
  readonly name?: string;
  readonly limit?: string;
}

/** `holdfast asks [run]`. */
export const asks: CommandFn<AsksOptions> = async (context, [runId], { graph, name, limit }) => {
  const { out, paste } = context;
  await using engine = await openToRead(context);
  const under = runId === undefined ? undefined : (await findRun(engine, runId)).id;
  const items = engine.asks({ graph, name, under, limit: parseLimit(limit, 20) });
  const count = await out.list({ names: { all: 'asks', one: 'ask' }, items, human: (all) => askTable(out, all) });
  if (count === 0) out.hint('No open questions.');
  else if (out.isTerminal)
    out.hint(`Answer with: ${paste('answer RUN QUESTION field=value …')}, or ${paste('answer RUN')} for a form.`);
  return 0;
};

function askTable(out: Output, asks: readonly OpenAsk[]): readonly string[] {
  const rows = asks.map(({ runId, name, graph, node, since, until, show }) => [
    runId,
    { text: printable(name), paint: out.paint.yellow },
    `${graph}/${node}`,
    out.time(since),
    until === undefined ? '-' : out.time(until),
    shortFields(show, 200),
  ]);
  return out.table(['RUN', 'QUESTION', 'NODE', 'ASKED', 'EXPIRES', 'DETAILS'], rows);
}
