import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Outcome } from '../../src/engine/graph-run.ts';
import type { AnyGraph } from '../../src/graph/shape.ts';
import type { WantedFork } from './interventions.ts';

/** A graph, what it is given, and what people do with it. What comes out depends on nothing but the variant. */
export interface Workload {
  readonly name: string;
  readonly graph: AnyGraph;
  readonly variants: number;
  readonly input: (variant: number) => unknown;
  /** Sent one after another. */
  readonly messages?: (variant: number) => readonly Message[];
  /** The inputs that come after the first. */
  readonly turns?: (variant: number) => readonly unknown[];
  /** A question that may be answered before it is asked. */
  readonly early?: string | undefined;
  /** A question that somebody answers when it is no longer open, before any message is sent. */
  readonly late?: string | undefined;
  /** Where it pauses: it is forked there, and both are resumed once. */
  readonly pauseBefore?: readonly string[] | undefined;
  /** The state of the fork. */
  readonly forkSet?: ((variant: number) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /** Forks that are made while it runs, wherever it is. */
  readonly forks?: ((variant: number) => readonly WantedFork[]) | undefined;
  /** It is cancelled: once a child of this graph waits, or at any time if there is none. */
  readonly cancel?: ((variant: number) => string | undefined) | undefined;
  /** What of its ending does not depend on when things happen. Default: all of it. */
  readonly endsAs?: ((outcome: Outcome) => unknown) | undefined;
  /** Fails until its code is mended and it is resumed. */
  readonly isMended?: boolean | undefined;
}

interface Message {
  readonly name: string;
  readonly value: unknown;
}

/** A schema that takes everything as it is. */
export function anything<T>(): StandardSchemaV1<T, T> {
  return { '~standard': { version: 1, vendor: 'sim', validate: (value) => ({ value: value as T }) } };
}

/** What a question shows in these workloads. */
export interface Shown {
  readonly who: string;
  /** The answer; default: one that names the question. */
  readonly says?: string | undefined;
}

/** Shown by a question that nobody answers. */
export const nobody: Shown = { who: 'nobody' };

/** What everybody answers to a question. */
export function answerTo(name: string, { who, says }: Shown): string {
  return says ?? `${name} of ${who}: yes`;
}
