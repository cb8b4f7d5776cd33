import type { brand } from '../../channel/brand.ts';

/**
 * The result of a workflow that starts over with another input.
 *
 * @example
 * ```ts
 * const next: Again<{ round: number }> = again({ round: 2 });
 * ```
 */
export interface Again<I> {
  readonly [brand]: { again: I };
}

class StartOver {
  readonly #input: unknown;

  constructor(input: unknown) {
    this.#input = input;
    Object.freeze(this);
  }

  static is(value: unknown): value is StartOver {
    return typeof value === 'object' && value !== null && #input in value;
  }

  static inputOf(over: StartOver): unknown {
    return over.#input;
  }
}

/**
 * Ends a round of a workflow: the body starts over with this input. What the round recorded is not replayed any more, so a
 * long loop stays cheap. Keys of steps are new, open waits are withdrawn, and messages that were not received are kept.
 *
 * ```ts
 * const poll = workflow('poll', { input: z.object({ job: z.string(), round: z.number() }) }, async (input, { step, sleep }) => {
 *   if (await step('done', () => isDone(input.job))) return 'done';
 *   await sleep('1m');
 *   return again({ ...input, round: input.round + 1 });
 * });
 * ```
 */
export function again<I>(input: I): Again<I> {
  return new StartOver(input) as unknown as Again<I>;
}

/** The input inside the result of `again`; undefined for anything else. */
export function againOf(value: unknown): { readonly input: unknown } | undefined {
  return StartOver.is(value) ? { input: StartOver.inputOf(value) } : undefined;
}
