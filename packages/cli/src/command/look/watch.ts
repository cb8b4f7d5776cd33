import { findRun } from '../../address/run-address.ts';
import { follow } from '../../live/follow.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

interface WatchOptions {
  readonly after?: string;
  readonly untilEnd?: boolean;
}

/** `holdfast watch RUN`. */
export const watch: CommandFn<WatchOptions> = async (context, [name = ''], { after, untilEnd }) => {
  await using engine = await openToRead(context);
  const { id } = await findRun(engine, name);
  const run = await engine.get(id);
  return await follow(context, { engine, run }, { after, until: untilEnd === true ? 'end' : 'idle' });
};
