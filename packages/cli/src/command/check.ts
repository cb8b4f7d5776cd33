import { printable } from '../output/printable.ts';
import type { CommandFn } from '../program/command-spec.ts';
import { openWithCode } from '../project/open-engine.ts';

/** `holdfast check`: which runs this build would strand. */
export const check: CommandFn<object> = async (context) => {
  const { out } = context;
  const { engine: opened, graphs } = await openWithCode(context, { executes: false });
  await using engine = opened;
  const stranded = await engine.check(graphs);
  await out.list({
    names: { all: 'stranded', one: 'stranded-run' },
    items: stranded,
    human: (all) =>
      out.table(
        ['RUN', 'GRAPH', 'MISSES'],
        all.map(({ run, graph, version, missing }) => [run, `${graph} v${version}`, printable(missing.join(', '))]),
      ),
  });
  if (stranded.length === 0) {
    out.hint(`No run would be stranded by ${graphs.map(({ name, version }) => `${name} v${version}`).join(', ')}.`);
    return 0;
  }
  out.hint('Keep the old version beside the new one, or give the new one a migrate: docs/guides/migrating-a-graph.md.');
  return 5;
};
