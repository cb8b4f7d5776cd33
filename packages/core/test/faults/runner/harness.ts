import type { LaneResult } from './lane-result.ts';

/** A harness at work in one lane. */
export interface Harness {
  /** One fault and the look afterwards; undefined when there is nothing left to try. */
  cycle(): Promise<LaneResult | undefined>;
  /** Ends its processes and clears away what it made. */
  close(): Promise<void>;
}
