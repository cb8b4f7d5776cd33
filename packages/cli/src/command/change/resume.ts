import { findRun } from '../../address/run-address.ts';
import { parseCount } from '../../input/numbers.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToWrite } from '../../project/open-engine.ts';
import { followUp } from './follow-up.ts';

interface ResumeOptions {
  readonly maxSupersteps?: string;
  readonly wait?: boolean;
}

/** `holdfast resume RUN`. */
export const resume: CommandFn<ResumeOptions> = async (context, [name = ''], { maxSupersteps, wait }) => {
  await using engine = await openToWrite(context);
  const run = await engine.get((await findRun(engine, name)).id);
  await run.resume(maxSupersteps === undefined ? {} : { maxSupersteps: parseCount(maxSupersteps, '--max-supersteps') });
  return await followUp(context, { engine, run, what: `resumed ${run.id}`, wait });
};
