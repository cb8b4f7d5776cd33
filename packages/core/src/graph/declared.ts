import type { Channels } from '../channel/channels.ts';
import type { Asks, Receives } from './ask.ts';

/** The declaration passed to `graph` or `workflow`. */
export interface Declared {
  readonly state: Channels;
  readonly asks: Asks;
  readonly receives: Receives;
  readonly emits: unknown;
  readonly deps?: object;
  /** What a graph results in. */
  readonly output?: unknown;
}
