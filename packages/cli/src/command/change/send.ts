import { findRun } from '../../address/run-address.ts';
import { jsonOrStdin } from '../../input/json-or-stdin.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToChange } from '../../project/open-engine.ts';
import { followUp } from './follow-up.ts';

interface SendOptions {
  readonly id?: string;
  readonly wait?: boolean;
}

/** `holdfast send RUN NAME json`. */
export const send: CommandFn<SendOptions> = async (context, [runName = '', name = '', json = ''], { id, wait }) => {
  const { engine: opened } = await openToChange(context);
  await using engine = opened;
  const run = await engine.get((await findRun(engine, runName)).id);
  const value = await jsonOrStdin(json, 'The message');
  await run.send(name, value, { id });
  return await followUp(context, { engine, run, what: `sent ${name} to ${run.id}`, value: { name }, wait });
};
