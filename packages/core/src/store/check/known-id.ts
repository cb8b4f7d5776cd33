/** A chosen id that a run knows, whether its record is stored or was trimmed. */
export interface KnownId {
  /** The hash of the id. */
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  /** The hash of what a repeat has to equal: see `contentOf`. Undefined only if its key is missing and that is fine. */
  readonly content: string | undefined;
}
