import type { RunningServer } from '@holdfast/server';
import type { AnyGraph, Engine } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';
import { shownStore } from '../output/shown-store.ts';
import { eventLine } from './event-line.ts';

/** How a server of the command line is reached. */
export interface ListenOptions {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly redact?: readonly string[] | undefined;
  readonly allowHost?: readonly string[] | undefined;
  readonly token?: string | undefined;
  /** The URL of the store. */
  readonly store: string;
  /** Writes what the log should have. */
  readonly note?: ((line: string) => void) | undefined;
}

/** Serves the HTTP API and the studio. */
export async function listen(
  engine: Engine,
  graphs: readonly AnyGraph[],
  { host, port = '4000', readOnly = false, redact, allowHost, token, store, note }: ListenOptions,
): Promise<RunningServer> {
  const number = Number(port);
  if (!/^\d{1,5}$/u.test(port) || number > 65_535)
    throw CliError.usage(`Invalid port "${port}". Use a number from 0 to 65535.`);
  const [{ serve }, { studio }] = await Promise.all([import('@holdfast/server'), import('@holdfast/studio')]);
  try {
    return await serve(engine, {
      graphs: Object.fromEntries(graphs.map((graph) => [graph.name, graph])),
      host,
      port: number,
      token,
      readOnly,
      redact,
      pages: studio({ store: shownStore(store) }),
      ...(note !== undefined && { observe: (event) => note(eventLine(event)) }),
      ...(allowHost !== undefined && { hosts: ['localhost', '127.0.0.1', '[::1]', ...allowHost] }),
    });
  } catch (error) {
    if (error instanceof TypeError) throw CliError.usage(`${error.message} The token is read from HOLDFAST_TOKEN.`);
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw CliError.usage(`Port ${port} is in use. Choose another one with --port, or any free one with --port 0.`);
    throw error;
  }
}
