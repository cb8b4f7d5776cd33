import type { AnyGraph, Engine } from 'holdfast';
import { CliError } from '../../failure/cli-error.ts';
import { handleSignals } from '../../live/interrupt.ts';
import { shownStore } from '../../output/shown-store.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';
import { openToRead, openToWrite, openWithCode } from '../../project/open-engine.ts';
import { listen } from '../../serving/listen.ts';

interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
  readonly readOnly?: boolean;
  readonly work?: boolean;
  readonly redact?: readonly string[];
  readonly allowHost?: readonly string[];
}

/** `holdfast serve`. */
export const serve: CommandFn<ServeOptions> = async (context, _args, options) => {
  const { out } = context;
  const { engine: opened, graphs } = await open(context, options);
  await using engine = opened;
  using interrupt = handleSignals();
  const { signal } = interrupt;
  await using server = await listen(engine, graphs, {
    ...options,
    store: context.project.store,
    token: context.env['HOLDFAST_TOKEN'],
    note: (line) => out.note(line),
  });
  const worker = options.work === true ? engine.work({ signal }) : undefined;
  out.result('server', { url: server.url, port: server.port, graphs: graphs.map(({ name }) => name) }, () => [
    server.url,
  ]);
  out.hint(`Serving ${shownStore(context.project.store)}. The address contains the token, so do not share it.`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await worker?.done;
  return interrupt.exitCode() ?? 0;
};

/** Opens the store as little as the options need: to read, to write, or with the code. */
async function open(
  context: Context,
  { readOnly, work }: ServeOptions,
): Promise<{ readonly engine: Engine; readonly graphs: readonly AnyGraph[] }> {
  if (readOnly === true && work === true) throw CliError.usage('Pass --read-only or --work, not both.');
  if (work === true || context.project.graphs.length > 0) return openWithCode(context, { executes: work === true });
  return { engine: await (readOnly === true ? openToRead(context) : openToWrite(context)), graphs: [] };
}
