import type { Clock } from '../../../time/clock.ts';
import { settledWithin } from '../../../time/settled-within.ts';
import type { Verdict } from './answer-limit.ts';
import type { PostgresClient, PostgresResult } from './pool.ts';

/** The connection of `pg` knows which process of the server it was told that it leads to. */
export type Connected = PostgresClient & { readonly processID?: unknown };

/** A pooler gives each of its clients a number of its own. */
const isExecuted = `SELECT pg_backend_pid(), EXISTS (SELECT 1 FROM pg_catalog.pg_stat_activity a
  WHERE a.pid = $1::int AND a.state IN ('active', 'disabled'))`;

interface KeptOptions {
  readonly clock: Clock;
  /** How long to wait for what it says. */
  readonly ms: number;
}

/** The connection that listens is idle: it can be asked what has become of a statement of another one. */
export class KeptConnection {
  readonly #options: KeptOptions;
  #client: Connected | undefined;
  #lose: () => void = () => undefined;
  #wasThere = false;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** `lose` ends it, so that it is replaced. */
  keep(client: PostgresClient, lose: () => void): void {
    this.#client = client;
    this.#lose = lose;
    this.#wasThere = true;
  }

  lost(): void {
    this.#client = undefined;
  }

  /** Nobody needs one any more. */
  forget(): void {
    this.lost();
    this.#wasThere = false;
  }

  /** Whether the server still executes what was sent on this connection. */
  async verdictOn({ processID }: Connected): Promise<Verdict> {
    const client = this.#client;
    if (client === undefined) return this.#wasThere ? 'lost' : 'unknown';
    let row: PostgresResult['rows'][number] | undefined;
    let isRefused = false;
    const asked = client.query({ text: isExecuted, values: [processID], rowMode: 'array' }).then(
      ({ rows }) => {
        row = rows[0];
      },
      (error: { readonly severity?: string }) => {
        isRefused = error.severity === 'ERROR';
      },
    );
    await settledWithin(asked, this.#options);
    // A server of another kind may not have what is asked for.
    if (isRefused) return 'unknown';
    if (row === undefined) {
      // It is as silent as the other one.
      if (this.#client === client) this.#lose();
      return 'lost';
    }
    if (row[0] !== client.processID) return 'unknown';
    return row[1] === true ? 'executed' : 'lost';
  }
}
