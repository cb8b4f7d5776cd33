/** What somebody does to runs of a graph. A run that may not be read is, for them, a run that does not exist. */
export type Action =
  | 'read'
  | 'start'
  | 'answer'
  | 'send'
  | 'settle'
  | 'fork'
  | 'resume'
  | 'cancel'
  | 'prune'
  | 'delete';

/** Who makes a request, and what they may see. */
export interface Caller {
  /** Stands in the records of their commands. */
  readonly by: string;
  /** Tags: the caller sees, counts and changes only runs that have all of them. Default: all runs. */
  readonly scope?: Readonly<Record<string, string>> | undefined;
  /** May prune and delete. Default: false. */
  readonly admin?: boolean | undefined;
  /** May only read. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** Asked about each action and the graph of its run, besides `admin` and `readOnly`. Default: all of them are allowed. */
  readonly may?: ((action: Action, graph: string) => boolean | Promise<boolean>) | undefined;
}

/** Says who makes a request. Nothing: the request is refused with 401. */
export type Authorize = (request: Request) => Caller | undefined | null | Promise<Caller | undefined | null>;

/** What a caller's share of something is counted under. Two tenants may have callers of the same name. */
export function callerKey({ by, scope }: Pick<Caller, 'by' | 'scope'>): string {
  return JSON.stringify([by, Object.entries(scope ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
