import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { checkOptions, invalidOption } from './check/check-options.ts';

/**
 * How much a run may hold and a call may bring, so that no caller can flood a store.
 *
 * @example
 * ```ts
 * const strict = await openEngine('memory:', { bounds: { queuedMessages: 100, openWaits: 50 } });
 * ```
 */
export interface Bounds {
  /** Messages, turns and early answers of a run that it has not read yet. Default: 10,000. */
  readonly queuedMessages: number;
  /** Things that a run waits for at the same time. Default: 1,000. */
  readonly openWaits: number;
  /** Tags of a run. Default: 64. */
  readonly tags: number;
  /** Labels of a record. Default: 64. */
  readonly labels: number;
  /** Records of one commit. Default: 10,000. */
  readonly batchRecords: number;
  /** How long the schemas of an input, an answer or a message may take, in milliseconds. Default: 30,000. */
  readonly validationMs: number;
}

/** The bounds of an engine that was opened without any. */
export const defaultBounds: Bounds = {
  queuedMessages: 10_000,
  openWaits: 1_000,
  tags: 64,
  labels: 64,
  batchRecords: 10_000,
  validationMs: 30_000,
};

const known = {
  queuedMessages: true,
  openWaits: true,
  tags: true,
  labels: true,
  batchRecords: true,
  validationMs: true,
} as const;

/** The default bounds, with those that were given. @throws HOLDFAST_INVALID_OPTION */
export function boundsOf(given: { readonly [K in keyof Bounds]?: number | undefined } = {}): Bounds {
  const all: Record<string, number> = { ...defaultBounds };
  for (const [name, bound] of Object.entries(checkOptions('openEngine({ bounds })', given, known))) {
    if (bound === undefined) continue;
    if (!(Number.isSafeInteger(bound) && bound > 0))
      throw invalidOption(`bounds.${name}`, `bounds.${name} must be a whole number, 1 or more.`);
    all[name] = bound;
  }
  return all as unknown as Bounds;
}

/** The error for more than a bound allows. */
export function tooMany(bound: keyof Bounds, limit: number, what: string): HoldfastError {
  return holdfastError(
    'HOLDFAST_TOO_MANY',
    `${what} The limit is ${limit}: openEngine(store, { bounds: { ${bound} } }) changes it.`,
    { details: { bound, limit } },
  );
}
