/** A value or a promise of it, so that synchronous code stays synchronous. */
export type Awaitable<T> = T | Promise<T>;
