import type { Out } from '../../channel/standard-schema.ts';
import type { Until } from '../../time/deadline.ts';

/**
 * Waits for this long, or until a date. The time also passes while no process runs. A name tells it from other sleeps of
 * the body in listings, and when its code changes.
 *
 * ```ts
 * await sleep('30s');
 * await sleep(new Date('2027-01-01'));
 * await sleep('until the invoice is due', invoice.dueAt);
 * ```
 */
export interface Sleep {
  (until: Until): Promise<void>;
  (name: string, until: Until): Promise<void>;
}

/**
 * A message: its name and its value.
 *
 * @example
 * ```ts
 * const text = (message: Received<{ paid: z.ZodNumber; cancelled: z.ZodString }, 'paid' | 'cancelled'>): string =>
 *   message.name === 'paid' ? `${message.value} cents` : message.value;
 * ```
 */
export type Received<R, K extends keyof R> = { [P in K]: { readonly name: P; readonly value: Out<R[P]> } }[K];

/**
 * Returns the next value of `run.send(name, value)`. Values sent earlier are kept, in order. With several names it takes
 * the oldest message with one of them, and tells which it is. With a timeout, returns undefined if none came in time.
 *
 * ```ts
 * const message = await receive(['paid', 'cancelled'], { timeout: '1h' });
 * if (message?.name === 'paid') await ship(message.value.reference);
 * ```
 */
export interface Receive<R> {
  <K extends keyof R & string>(name: K): Promise<Out<R[K]>>;
  <K extends keyof R & string>(name: K, options: { readonly timeout: Until }): Promise<Out<R[K]> | undefined>;
  <K extends keyof R & string>(names: readonly K[]): Promise<Received<R, K>>;
  <K extends keyof R & string>(
    names: readonly K[],
    options: { readonly timeout: Until },
  ): Promise<Received<R, K> | undefined>;
}
