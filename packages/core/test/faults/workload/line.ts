import { writeSync } from 'node:fs';
import type { LeaseLine } from '../processes/lease-line.ts';
import type { Span } from './span.ts';

/**
 * What a writer process tells its parent, a line of JSON each. A line that says something was acknowledged is written
 * after the store said so and before the writer does anything else.
 */
export type Line =
  /** The code is loaded and the writer waits for its orders. */
  | { readonly type: 'ready' }
  /** The store is open. */
  | { readonly type: 'open' }
  /** The driver is asked to commit a group, and has answered. */
  | { readonly type: 'group-start'; readonly at: number }
  | { readonly type: 'group-end'; readonly at: number }
  | ({
      readonly type: 'commit';
      readonly runId: string;
      readonly token: string;
      readonly expect: number;
      readonly count: number;
    } & Span)
  | { readonly type: 'trim-start'; readonly runId: string; readonly floor: number }
  | ({ readonly type: 'trim'; readonly runId: string; readonly floor: number } & Span)
  | { readonly type: 'remove-start'; readonly runId: string }
  | ({ readonly type: 'remove'; readonly runId: string } & Span)
  /** Somebody who only reads has read all there is. */
  | { readonly type: 'read'; readonly runs: number }
  /** A store that had failed took another commit without being opened anew. */
  | { readonly type: 'trusted' }
  /** All that was asked for is done but closing. */
  | { readonly type: 'closing' }
  /** A call of the store failed; what it said of the failure. */
  | {
      readonly type: 'fault';
      /** The token of the commit, or what else was done. */
      readonly during: string;
      readonly code: string;
      readonly effect: string;
      readonly poisoned: boolean;
      readonly message: string;
    }
  /** The store broke a promise in front of the writer. */
  | { readonly type: 'wrong'; readonly what: string }
  /** All that was asked for is done. */
  | { readonly type: 'done' };

/** That clock, in milliseconds. */
export function sharedMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Any line that a process of ours says. */
export type AnyLine = Line | LeaseLine;

/** Says a line. Synchronous on purpose: a buffered acknowledgement would die with the process. */
export function say(line: AnyLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      // The pipe is full and the parent has not come to read it yet.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Cuts what comes on a pipe into lines; a last line without its end is not one. */
export class LineReader {
  readonly lines: AnyLine[] = [];
  readonly #onLine: (line: AnyLine) => void;
  #rest = '';

  constructor(onLine: (line: AnyLine) => void = () => {}) {
    this.#onLine = onLine;
  }

  add(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) {
      const line = JSON.parse(part) as AnyLine;
      this.lines.push(line);
      this.#onLine(line);
    }
  }
}
