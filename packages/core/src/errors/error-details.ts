import type { ErrorCode } from './error-code.ts';

/** Something that a schema refused: where, and why. */
interface ValueIssue {
  readonly channel?: string | undefined;
  /** A JSON pointer. */
  readonly path: string;
  readonly message: string;
}

/** A mistake in a graph, at a node or in its definition. */
interface GraphProblem {
  readonly node?: string | undefined;
  readonly what: string;
}

type Text = string | undefined;

interface OfRun {
  readonly runId: string;
}

/** Where data was found: a file, a row, a run and the seq of a record. */
type Found = {
  readonly where?: Text;
  readonly runId?: Text;
  readonly seq?: number | undefined;
  readonly path?: Text;
  readonly line?: number | undefined;
  readonly table?: Text;
  readonly file?: Text;
  readonly key?: Text;
  readonly node?: Text;
};

/** A directory or a file of a store. */
type Place = { readonly dir?: Text; readonly path?: Text; readonly name?: Text };

/** A value that was refused. */
type Refused = {
  readonly channel?: Text;
  readonly name?: Text;
  readonly node?: Text;
  readonly path?: Text;
  readonly issues?: readonly ValueIssue[] | undefined;
};

/** A value that cannot be stored. */
type Unstorable = Refused & {
  readonly option?: Text;
  readonly limit?: number | undefined;
  readonly where?: Text;
  readonly line?: number | undefined;
};

/** The details of each code. A field is optional if only some errors with that code have it. */
interface DetailsByCode {
  readonly HOLDFAST_ALREADY_ANSWERED: OfRun & { readonly name: string; readonly by?: Text };
  readonly HOLDFAST_AMBIGUOUS: OfRun & { readonly name: string; readonly ids: readonly string[] };
  readonly HOLDFAST_CANCELLED: OfRun & { readonly reason?: Text };
  readonly HOLDFAST_CONFLICT: OfRun & {
    readonly seq?: number | undefined;
    readonly expect?: number | undefined;
    readonly head?: number | undefined;
  };
  readonly HOLDFAST_CORRUPT: Found;
  readonly HOLDFAST_COVERS_TOO_MUCH: OfRun & { readonly covers: number; readonly latest: number };
  readonly HOLDFAST_CRASHED: { readonly commit: number; readonly when: string };
  readonly HOLDFAST_CRASH_LOOP: OfRun & { readonly takeovers: number };
  readonly HOLDFAST_DIVERGED: OfRun & {
    readonly node: string;
    readonly item?: number | undefined;
    readonly recorded: readonly string[];
    readonly asked: string;
  };
  readonly HOLDFAST_DRAINING: { readonly agent: string };
  readonly HOLDFAST_DRIVER_MISSING: { readonly package: string; readonly node?: string };
  readonly HOLDFAST_FOREIGN_FILE: Found;
  readonly HOLDFAST_GRAPH_RUN: OfRun;
  readonly HOLDFAST_ID_TAKEN: OfRun & {
    readonly id?: Text;
    readonly cursor?: Text;
    readonly why?: Text;
    readonly base?: Text;
  };
  readonly HOLDFAST_INPUT_MISMATCH: { readonly runId?: Text; readonly turn?: Text; readonly graph?: Text };
  readonly HOLDFAST_INVALID_CURSOR: {
    readonly runId?: Text;
    /** As it was given. */
    readonly cursor?: unknown;
    readonly after?: string | number | undefined;
    readonly head?: number | undefined;
  };
  readonly HOLDFAST_INVALID_GOTO: { readonly node: string; readonly target: string };
  readonly HOLDFAST_INVALID_GRAPH: { readonly graph?: Text; readonly problems?: readonly GraphProblem[] | undefined };
  readonly HOLDFAST_INVALID_ID: { readonly what: string };
  readonly HOLDFAST_INVALID_OPTION: {
    readonly option?: Text;
    readonly runId?: Text;
    readonly where?: Text;
    readonly problems?: readonly string[] | undefined;
  };
  readonly HOLDFAST_INVALID_ROUTE: { readonly node?: Text };
  readonly HOLDFAST_INVALID_TRANSITION: { readonly agent: string; readonly phase: string; readonly event: string };
  readonly HOLDFAST_INVALID_VALUE: Refused;
  readonly HOLDFAST_IN_DOUBT: OfRun & { readonly expect: number };
  readonly HOLDFAST_LEASE_LOST: { readonly runId?: Text; readonly why?: Text };
  readonly HOLDFAST_MAX_SUPERSTEPS: OfRun & { readonly maxSupersteps: number };
  readonly HOLDFAST_MISSING_KEY: { readonly where: string; readonly key: string };
  readonly HOLDFAST_NESTED_CALL: { readonly node: string; readonly call: string };
  readonly HOLDFAST_NODE_FAILED: { readonly runId?: Text; readonly node?: Text; readonly item?: number | undefined };
  readonly HOLDFAST_NOT_FOUND: {
    readonly runId?: Text;
    readonly checkpoint?: Text;
    readonly node?: Text;
    readonly key?: Text;
  } & Place;
  readonly HOLDFAST_PENDING_EFFECT: OfRun & { readonly key: string };
  readonly HOLDFAST_QUESTION_CLOSED: OfRun & { readonly name: string };
  readonly HOLDFAST_READ_ONLY: { readonly dir?: Text };
  readonly HOLDFAST_REDUCER_FAILED: { readonly channel: string };
  readonly HOLDFAST_RUN_ENDED: OfRun & { readonly status: string };
  readonly HOLDFAST_RUN_LEASED: OfRun & { readonly worker: string | null };
  readonly HOLDFAST_STEP_FAILED: OfRun & { readonly node: string; readonly step: string; readonly attempts: number };
  readonly HOLDFAST_STORE_CLOSED: { readonly runId?: Text };
  readonly HOLDFAST_STORE_CONTRACT: { readonly runId?: Text };
  readonly HOLDFAST_STORE_FAILED: {
    /** Whether the call may have changed something. */
    readonly effect: 'none' | 'unknown';
    readonly poisoned?: boolean | undefined;
    readonly transient?: boolean | undefined;
    /** What is wrong, where the store knows it: `full`, `timeout`, `rights`, … */
    readonly problem?: Text;
    /** What to do about it. */
    readonly advice?: Text;
    readonly dir?: Text;
  };
  readonly HOLDFAST_STORE_FOREIGN: { readonly found?: Text } & Place;
  readonly HOLDFAST_STORE_LOCKED: {
    readonly pid?: number | undefined;
    readonly host?: Text;
    readonly since?: Text;
  } & Place;
  readonly HOLDFAST_STORE_POISONED: Place;
  readonly HOLDFAST_STORE_UNAVAILABLE: { readonly problem: string };
  readonly HOLDFAST_STORE_UNSAFE: Place;
  readonly HOLDFAST_SUSPENDED: OfRun;
  readonly HOLDFAST_TIMEOUT: {
    readonly runId?: Text;
    readonly node?: Text;
    readonly step?: Text;
    readonly timeoutMs?: number | undefined;
    readonly validationMs?: number | undefined;
  };
  readonly HOLDFAST_TOO_DEEP: Unstorable;
  readonly HOLDFAST_TOO_LARGE: Unstorable;
  readonly HOLDFAST_TOO_MANY: { readonly bound: string; readonly limit: number };
  readonly HOLDFAST_UNKNOWN_CHANNEL: {
    readonly channel: string;
    readonly known?: readonly string[] | undefined;
    readonly checkpoint?: Text;
  };
  readonly HOLDFAST_UNKNOWN_FORMAT: {
    readonly version?: unknown;
    readonly newest?: number | undefined;
    readonly format?: unknown;
    readonly runId?: Text;
    readonly seq?: number | undefined;
    readonly dir?: Text;
  };
  readonly HOLDFAST_UNKNOWN_MESSAGE: Known;
  readonly HOLDFAST_UNKNOWN_QUESTION: Known;
  readonly HOLDFAST_UNSERIALIZABLE: Unstorable;
  readonly HOLDFAST_VERSION: OfRun & {
    readonly graph?: Text;
    readonly version?: number | undefined;
    readonly node?: Text;
    readonly missing: readonly string[];
  };
  readonly HOLDFAST_WRONG_KEY: { readonly where: string; readonly key: string };
}

type Known = {
  readonly graph?: Text;
  readonly runId?: Text;
  readonly name?: Text;
  readonly id?: Text;
  readonly known?: readonly string[] | undefined;
};

/**
 * The ids and values behind an error's message. Of a known code, its own fields; otherwise anything.
 *
 * @example
 * ```ts
 * if (HoldfastError.is(error, 'HOLDFAST_AMBIGUOUS')) await run.answer('approval', true, { id: error.details.ids[0] });
 * ```
 */
export type ErrorDetails<C extends ErrorCode = ErrorCode> = Readonly<Record<string, unknown>> &
  (ErrorCode extends C ? unknown : DetailsByCode[C]);
