/** Something that must never happen, whatever a store, a file or a command line holds. */
export interface Finding {
  /**
   * `untyped`: an error that is no HoldfastError. `unusable`: `runs`, `verify` or `delete` failed. `spins`: work that goes
   * on without end. `hang`: no answer in time. `crash`: the process ended. `raw`: a terminal got a control character.
   */
  readonly kind: 'untyped' | 'unusable' | 'spins' | 'hang' | 'crash' | 'raw';
  readonly what: string;
}

/** What is said of an error: its beginning, without the paths of this machine. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const frames = text.split('\n').slice(0, 6);
  return frames
    .map((line) =>
      line
        .trim()
        .replace(/\(?(?:file:\/\/)?\/[^\s)]*\/(?=[^/]+:\d)/u, '(')
        .slice(0, 300),
    )
    .join(' | ');
}
