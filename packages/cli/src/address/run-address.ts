import type { Engine, RunSummary } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';

const lastPattern = /^@last(?:~(\d{1,9}))?$/u;
const cursorPattern = /^(.+)@(\d{1,15})$/u;

/** A run, and optionally a position in its journal. */
export interface RunAddress {
  readonly run: RunSummary;
  readonly seq: number | undefined;
}

/** Finds a run by its id, a unique prefix of it, `@last` or `@last~2`. */
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
  if (only === undefined) throw CliError.notFound(`No run id starts with "${text}". The command runs lists them all.`);
  if (others.length === 0) return only;
  const some = found.slice(0, 5).map(({ id }) => id);
  const more = found.length > some.length ? ', …' : '';
  throw CliError.conflict(`Several run ids start with "${text}": ${some.join(', ')}${more}. Type more of the id.`);
}

async function nthNewest(engine: Engine, back: number): Promise<RunSummary> {
  let left = back;
  for await (const run of engine.runs({ limit: back + 1 })) {
    if (left === 0) return run;
    left -= 1;
  }
  throw CliError.notFound(back === 0 ? 'No runs yet.' : `There are fewer than ${back + 1} runs.`);
}

/** Finds a run and an optional position: `RUN`, `RUN@7`, `@last@7`. */
export async function findPlace(engine: Engine, text: string): Promise<RunAddress> {
  const [, runId, seq] = cursorPattern.exec(text) ?? [];
  if (runId === undefined || seq === undefined) return { run: await findRun(engine, text), seq: undefined };
  return { run: await findRun(engine, runId), seq: Number(seq) };
}
