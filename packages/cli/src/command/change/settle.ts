import type { EffectOutcome } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { jsonOrStdin } from '../../input/json-or-stdin.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToWrite } from '../../project/open-engine.ts';
import { followUp } from './follow-up.ts';

interface SettleOptions {
  readonly result?: string;
  readonly error?: string;
  readonly retry?: boolean;
  readonly wait?: boolean;
}

/** `holdfast settle RUN KEY --result JSON | --error MESSAGE | --retry`. */
export const settle: CommandFn<SettleOptions> = async (context, [runName = '', key = ''], options) => {
  const outcome = await outcomeOf(options);
  await using engine = await openToWrite(context);
  const run = await engine.get((await findRun(engine, runName)).id);
  await run.settle(key, outcome);
  return await followUp(context, {
    engine,
    run,
    what: `settled ${key} of ${run.id}`,
    value: { key },
    wait: options.wait,
  });
};

async function outcomeOf({ result, error, retry }: SettleOptions): Promise<EffectOutcome> {
  const given = [result, error, retry].filter((each) => each !== undefined).length;
  if (given !== 1)
    throw CliError.usage('Say what happened to the effect: pass one of --result JSON, --error MESSAGE or --retry.');
  if (result !== undefined) return { result: await jsonOrStdin(result, '--result') };
  return error === undefined ? 'retry' : { error };
}
