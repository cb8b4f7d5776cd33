import type { AnyGraph, Engine } from 'holdfast';
import { z } from 'zod';
import { invalidRequest } from '../api-error.ts';
import type { Caller } from '../caller/caller.ts';
import type { Scope } from '../caller/scope.ts';
import type { Bodies } from '../guard/bodies.ts';
import type { Redactor } from '../json/redact.ts';
import type { Limits } from '../limits.ts';
import type { ServerEvent } from '../options.ts';
import type { Streams } from '../stream/streams.ts';

/** What all requests share. */
export interface Server {
  readonly engine: Engine;
  readonly graphs: ReadonlyMap<string, AnyGraph>;
  readonly redactor: Redactor;
  readonly limits: Limits;
  readonly streams: Streams;
  readonly bodies: Bodies;
  readonly isReadOnly: boolean;
  readonly observe: (event: ServerEvent) => void;
}

/** One request that may continue. */
export interface Call {
  readonly server: Server;
  readonly engine: Engine;
  readonly caller: Caller;
  readonly scope: Scope;
  readonly redactor: Redactor;
  readonly request: Request;
}

/** What a command was about, for the log. */
export type About = Pick<Extract<ServerEvent, { readonly type: 'command' }>, 'dryRun' | 'made' | 'runId'>;

/** Who may call a route: anyone, who is known, who may write, or administrators that see all runs. */
type Access = 'public' | 'read' | 'write' | 'admin';

/** One route, with the schemas that check it and that the OpenAPI document is made of. */
export interface RouteSpec<P, Q, B, R> {
  /** Unique: the `operationId`. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'delete';
  /** As in OpenAPI: `/runs/{runId}`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly params: z.ZodType<P>;
  readonly query: z.ZodType<Q>;
  /** Of a POST. */
  readonly body?: z.ZodType<B> | undefined;
  /** The content type of a body that the route reads by itself. */
  readonly rawBody?: string | undefined;
  /** What it answers with. Undefined: no JSON, but this type of content. */
  readonly response: z.ZodType<R> | string;
  readonly status?: 200 | 201 | undefined;
  /** What a command was about, besides the run in its path. */
  about?(body: B, answer: R): Partial<About>;
  handle(call: Call, given: { readonly params: P; readonly query: Q; readonly body: B }): Promise<R | Response>;
}

/** What a request brings, before it is checked. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A route whose types have been checked where it was written. */
export interface Route extends Omit<RouteSpec<unknown, unknown, unknown, unknown>, 'handle' | 'about'> {
  about?(body: unknown, answer: unknown): Partial<About>;
  answer(call: Call, raw: RawRequest): Promise<unknown>;
}

/** Makes a route. */
export function route<P, Q, B, R>(spec: RouteSpec<P, Q, B, R>): Route {
  return {
    ...spec,
    answer: (call, raw) =>
      spec.handle(call, {
        params: check(spec.params, raw.params, 'path'),
        query: check(spec.query, raw.query, 'query'),
        body: spec.body === undefined ? (undefined as B) : check(spec.body, raw.body, 'body'),
      }),
  };
}

function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  throw invalidRequest(problems.join('; ').slice(0, 2_000));
}

/** The parameters of a route about one run. */
export const runParams: z.ZodType<{ readonly runId: string }> = z.strictObject({
  runId: z.string().min(1).max(512),
});
