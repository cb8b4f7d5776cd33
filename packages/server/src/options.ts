import type { AnyGraph } from 'holdfast';
import type { Authorize } from './caller/caller.ts';
import type { Limits } from './limits.ts';

/** Graphs by the names that clients use. */
export type Graphs = Readonly<Record<string, AnyGraph>>;

/** Something that a log should have. */
export type ServerEvent =
  /** Someone gave a command: what stands in no record, and what does. */
  | {
      readonly type: 'command';
      readonly command: string;
      readonly by: string;
      readonly runId?: string | undefined;
      /** The run that the command created. */
      readonly made?: string | undefined;
      /** Of a prune: nothing was dropped. */
      readonly dryRun?: boolean | undefined;
      /** What the caller was answered with: 403 is a command that was refused. */
      readonly status: number;
    }
  /** The caller was told nothing but the id. */
  | { readonly type: 'error'; readonly id: string; readonly error: unknown }
  /** A reader was too slow, and its stream was cut. */
  | { readonly type: 'dropped'; readonly by: string; readonly runId: string };

/** Options of `api`. */
export interface ApiOptions<G extends Graphs> {
  /** The graphs that clients may start, and that the pages can draw. */
  readonly graphs?: G | undefined;
  /** Says who makes a request. */
  readonly authorize: Authorize;
  /**
   * The exact values of the Host header that are served, without a port for any port. 'any' if something in front of this
   * handler has checked it. Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly hosts?: readonly string[] | 'any' | undefined;
  /** Origins of pages that may call, besides those of `hosts`: `https://app.example.com`. */
  readonly origins?: readonly string[] | undefined;
  /** Where the handler is mounted, if what mounts it does not cut it off: `/holdfast`. */
  readonly basePath?: string | undefined;
  /** JSON pointers to what never leaves the server, in which `*` matches any key: `/state/customer/email`. */
  readonly redact?: readonly string[] | undefined;
  /** Refuses every command. Default: false. */
  readonly readOnly?: boolean | undefined;
  readonly limits?: { readonly [K in keyof Limits]?: Limits[K] | undefined } | undefined;
  /** Is told of commands, of unexpected errors and of dropped readers. Default: writes unexpected errors to stderr. */
  readonly observe?: ((event: ServerEvent) => void) | undefined;
}
