import type { Checkpoint, Engine } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';
import type { RunAddress } from './run-address.ts';

/** The checkpoint at a place, of a graph run or a journal run. */
export async function checkpointOf(engine: Engine, { run, seq }: RunAddress): Promise<Checkpoint> {
  const at = seq === undefined ? undefined : `${run.id}@${seq}`;
  if (run.kind === 'graph') return (await engine.get(run.id)).checkpoint(at);
  const found = at === undefined ? await engine.checkpoints.latest(run.id) : await savedAt(engine, at);
  if (found !== undefined) return found;
  throw CliError.notFound(`Run "${run.id}" has no checkpoint${at === undefined ? '' : ` at or before ${at}`}.`);
}

/** The checkpoint of that name, or the last one that covers no more than the journal had there. */
async function savedAt({ checkpoints }: Engine, at: string): Promise<Checkpoint | undefined> {
  return (await checkpoints.load(at)) ?? (await checkpoints.atOrBefore(at));
}
