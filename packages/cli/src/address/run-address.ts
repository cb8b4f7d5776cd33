import type { Engine, RunSummary } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';

const lastPattern = /^@last(?:~(\d{1,9}))?$/u;
const cursorPattern = /^(.+)@(\d{1,15})$/u;

/** A run, and perhaps a place in its journal. */
export interface RunAddress {
  readonly run: RunSummary;
  readonly seq: number | undefined;
}

/** The run that a whole id, a unique beginning of one, `@last` or `@last~2` names. */
export async function findRun(engine: Engine, text: string): Promise<RunSummary> {
  const [isLast, back = '0'] = lastPattern.exec(text) ?? [];
  if (isLast !== undefined) return nthNewest(engine, Number(back));
  const found: RunSummary[] = [];
  for await (const run of engine.runs({ idPrefix: text })) {
    if (run.id === text) return run;
    found.push(run);
    if (found.length > 1_000) break;
  }
  const [only, ...others] = found;
  if (only === undefined)
    throw CliError.notFound(`No run begins with ${text}. holdfast runs lists those that are there.`);
  if (others.length === 0) return only;
  const some = found.slice(0, 5).map(({ id }) => id);
  const more = found.length > some.length ? ', …' : '';
  throw CliError.conflict(`Several runs begin with ${text}: ${some.join(', ')}${more}. Write more of the id.`);
}

async function nthNewest(engine: Engine, back: number): Promise<RunSummary> {
  let left = back;
  for await (const run of engine.runs({ limit: back + 1 })) {
    if (left === 0) return run;
    left -= 1;
  }
  throw CliError.notFound(back === 0 ? 'There is no run yet.' : `There are not ${back + 1} runs.`);
}

/** A run with or without a place: `RUN`, `RUN@7`, `@last@7`. */
export async function findPlace(engine: Engine, text: string): Promise<RunAddress> {
  const [, runId, seq] = cursorPattern.exec(text) ?? [];
  if (runId === undefined || seq === undefined) return { run: await findRun(engine, text), seq: undefined };
  return { run: await findRun(engine, runId), seq: Number(seq) };
}
