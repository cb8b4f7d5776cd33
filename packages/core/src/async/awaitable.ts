/** A value, or the promise of one: what is synchronous stays so. */
export type Awaitable<T> = T | Promise<T>;
