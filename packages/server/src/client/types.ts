import type { AnyShape, Graph } from 'holdfast';
import type { Api } from '../api.ts';

/** The graphs of a server, by its type. */
export type GraphsOf<A> = A extends Api<infer G> ? G : never;

/** The names of a server's graphs. A client that was given no server takes any name. */
export type GraphName<A> = keyof GraphsOf<A> & string;

/** The graph of a name. */
export type GraphNamed<A, N> = N extends keyof GraphsOf<A> ? GraphsOf<A>[N] : never;

/** A value after its way through JSON: times are texts, maps are pairs, sets are lists. */
export type AsJson<T> = unknown extends T
  ? unknown
  : T extends Date | bigint | Uint8Array
    ? string
    : T extends ReadonlyMap<infer K, infer V>
      ? readonly (readonly [AsJson<K>, AsJson<V>])[]
      : T extends ReadonlySet<infer V>
        ? readonly AsJson<V>[]
        : T extends object
          ? { readonly [K in keyof T]: AsJson<T[K]> }
          : T;

type ShapeNamed<A, N> = GraphNamed<A, N> extends Graph<infer S> ? S : AnyShape;

/** What a graph is started with, as JSON. */
export type InputJson<A, N> = AsJson<ShapeNamed<A, N>['input']>;

/** The state of a graph, as JSON. */
export type StateJsonOf<A, N> = AsJson<ShapeNamed<A, N>['state']>;

/** What the input of a schema is, of any library that speaks Standard Schema. */
type In<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer I }
    ? I
    : unknown
  : unknown;

/** What answers a question: declared with what it shows, or by the schema of its answer alone. */
type AnswerIn<A> = A extends { readonly answer: infer X } ? In<X> : In<A>;

/** The answers of a graph's questions by name, as JSON. */
export type AnswersJsonOf<A, N> = {
  readonly [K in keyof ShapeNamed<A, N>['asks']]: AsJson<AnswerIn<ShapeNamed<A, N>['asks'][K]>>;
};

/** The messages that a graph receives by name, as JSON. */
export type MessagesJsonOf<A, N> = {
  readonly [K in keyof ShapeNamed<A, N>['receives']]: AsJson<In<ShapeNamed<A, N>['receives'][K]>>;
};

/** What a graph emits, as JSON. */
export type EmitJsonOf<A, N> = AsJson<ShapeNamed<A, N>['emits']>;
