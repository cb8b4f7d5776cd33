/** What a worker process writes down, one line each. Written before it goes on, so that a kill takes nothing away. */
export type Line = { readonly at: number; readonly life: number; readonly run: string } & (
  | { readonly what: 'body'; readonly n: number; readonly worker: number }
  /** The run was taken over here, from this worker of any life. */
  | { readonly what: 'takeover'; readonly worker: number; readonly from: string; readonly noticed: 'lease' | 'death' }
  /** A call of the store failed: what it was, how long it took in milliseconds, and what it said. */
  | {
      readonly what: 'failed';
      readonly worker: number;
      readonly call: string;
      readonly took: number;
      readonly error: string;
    }
  | {
      readonly what: 'sent' | 'ack';
      readonly worker: number;
      readonly token: string;
      readonly fence: number | null;
      /** The first of its records. */
      readonly seq: number;
      /** How many; a batch without records only changes the lease. */
      readonly count: number;
      /** The number of super-steps that are finished with it. Undefined: it finishes none. */
      readonly superstep: number | undefined;
    }
);

/** Omits the keys of each member of a union. */
export type Unplaced<L> = L extends Line ? Omit<L, 'at' | 'life'> : never;

/** What a worker process is told. */
export interface WorkerOrders {
  readonly url: string;
  readonly ledger: string;
  readonly life: number;
  readonly workers: number;
  readonly leaseMs: number;
  readonly mutant: string | undefined;
}
