import type { Line } from '../worker/line.ts';

/** What the database has of a run at the end. */
export interface StoredRows {
  readonly run: string;
  /** One per commit, in the order of the journal. */
  readonly commits: readonly { readonly seq: number; readonly token: string }[];
}

/** Why a run may have been executed again: a process was killed or stopped, or the server was away for longer than a lease. */
export interface Excuse {
  readonly from: number;
  readonly to: number;
  /** The lives that were struck. */
  readonly lives: readonly number[];
}

/** The end of a run. */
export interface RunEnd {
  readonly run: string;
  readonly status: string;
  readonly length: number;
  readonly seen: readonly number[];
}

/** All that is known of a phase. */
export interface Evidence {
  readonly lines: readonly Line[];
  readonly rows: readonly StoredRows[];
  readonly ends: readonly RunEnd[];
  readonly excuses: readonly Excuse[];
  /** Leases may end by themselves, as those of a process that gets no processor. False where the lease is long. */
  readonly mayExpire: boolean;
  /** When workers lost their session locks without being told: from then on, those that are quiet are taken for dead. */
  readonly locksLostAt?: readonly number[] | undefined;
}
