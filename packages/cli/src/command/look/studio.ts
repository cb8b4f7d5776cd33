import { type AnyGraph, type Engine, HoldfastError } from 'holdfast';
import { handleSignals } from '../../live/interrupt.ts';
import { shownStore } from '../../output/shown-store.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';
import { openToChange, openToRead } from '../../project/open-engine.ts';
import { listen } from '../../serving/listen.ts';

interface StudioOptions {
  readonly port?: string;
  readonly readOnly?: boolean;
}

interface Opened {
  readonly engine: Engine;
  readonly graphs: readonly AnyGraph[];
  readonly isReadOnly: boolean;
}

/** `holdfast studio`. */
export const studio: CommandFn<StudioOptions> = async (context, _args, { port = '0', readOnly = false }) => {
  const { out } = context;
  const { engine: opened, graphs, isReadOnly } = await open(context, readOnly);
  await using engine = opened;
  using interrupt = handleSignals();
  const { signal } = interrupt;
  await using server = await listen(engine, graphs, {
    store: context.project.store,
    port,
    readOnly: isReadOnly,
    token: context.env['HOLDFAST_TOKEN'],
    note: (line) => out.note(line),
  });
  out.result('studio', { url: server.url, port: server.port, readOnly: isReadOnly }, () => [server.url]);
  const mode = isReadOnly ? ', to read' : '';
  out.hint(
    `The studio of ${shownStore(context.project.store)}${mode}. Open the address, which contains the token. Press Ctrl-C to quit.`,
  );
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return interrupt.exitCode() ?? 0;
};

/** Opens the store to change it. A file store that a program writes to is opened beside it, to read. */
async function open(context: Context, readOnly: boolean): Promise<Opened> {
  if (readOnly) return { engine: await openToRead(context), graphs: [], isReadOnly: true };
  try {
    return { ...(await openToChange(context)), isReadOnly: false };
  } catch (error) {
    if (!HoldfastError.is(error) || error.code !== 'HOLDFAST_STORE_LOCKED') throw error;
    context.out.hint('Another process writes to this store, so it is opened read-only.');
    return { engine: await openToRead(context), graphs: [], isReadOnly: true };
  }
}
