import type { AnyGraph, StrandedRun } from 'holdfast';
import { printable } from '../../output/printable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';
import { loadGraphs } from '../../project/load-graphs.ts';
import { hasStore, openWithCode } from '../../project/open-engine.ts';

/** `holdfast check`: lists the runs that this build could not continue. */
export const check: CommandFn<object> = async (context) => {
  const { out, project } = context;
  const isThere = await hasStore(project.store);
  const { graphs, stranded } = isThere ? await look(context) : await lookAtNothing(project.graphs);
  await out.list({
    names: { all: 'stranded', one: 'stranded-run' },
    items: stranded,
    human: (all) =>
      out.table(
        ['RUN', 'GRAPH', 'MISSING', 'REFUSED BY'],
        all.map(({ runId, graph, version, parentId, missing, refusals }) => [
          parentId === null ? runId : `${runId} (child of ${parentId})`,
          `${graph} v${version}`,
          printable(missing.join(', ')),
          printable(refusals.map(({ worker, code }) => `${worker} (${code})`).join(', ')),
        ]),
      ),
  });
  if (stranded.length === 0) {
    out.hint(
      `Every unfinished run can continue with ${graphs.map(({ name, version }) => `${name} v${version}`).join(', ')}.`,
    );
    return 0;
  }
  const here = new Set(graphs.map(({ name }) => name));
  const absent = [...new Set(stranded.map(({ graph }) => graph))].filter((graph) => !here.has(graph));
  if (absent.length > 0) {
    out.hint(`This build does not have ${absent.map(printable).join(', ')}: export it, or pass its file with -g.`);
  }
  if (stranded.some(({ graph }) => here.has(graph))) {
    out.hint('Keep the old version next to the new one, or add a migration: docs/guides/migrating-a-graph.md.');
  }
  return 5;
};

interface Checked {
  readonly graphs: readonly AnyGraph[];
  readonly stranded: readonly StrandedRun[];
}

async function look(context: Context): Promise<Checked> {
  const { engine: opened, graphs } = await openWithCode(context, { executes: false });
  await using engine = opened;
  return { graphs, stranded: await engine.check(graphs) };
}

/** No store means no runs to strand. Checking must not create one. */
async function lookAtNothing(files: readonly string[]): Promise<Checked> {
  return { graphs: (await loadGraphs(files)).graphs, stranded: [] };
}
