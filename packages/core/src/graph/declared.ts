import type { Channels } from '../channel/channels.ts';
import type { Asks, Receives } from './ask.ts';

/** What `graph` or `workflow` was given. */
export interface Declared {
  readonly state: Channels;
  readonly asks: Asks;
  readonly receives: Receives;
  readonly emits: unknown;
}
