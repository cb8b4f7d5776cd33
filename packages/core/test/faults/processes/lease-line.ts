import type { Span } from '../workload/span.ts';

/** What a worker says of its leases, besides the lines of its other work. */
export type LeaseLine =
  /** Its lease was renewed, for so long from a moment in the span on. */
  | ({ readonly type: 'beat'; readonly worker: string; readonly leaseMs: number } & Span)
  | ({ readonly type: 'claim'; readonly worker: string; readonly runId: string; readonly fence: number } & Span)
  /** It let go of the run, or found that somebody else has it. */
  | ({ readonly type: 'release'; readonly worker: string; readonly runId: string; readonly fence: number } & Span)
  | ({
      readonly type: 'owned';
      readonly worker: string;
      readonly runId: string;
      readonly fence: number;
      readonly seq: number;
    } & Span)
  /** A commit was refused because somebody else owns the run. */
  | ({ readonly type: 'stale'; readonly worker: string; readonly runId: string; readonly fence: number } & Span);

/** What every record of an owner says. */
export interface OwnedPayload {
  readonly worker: string;
  readonly fence: number;
}
