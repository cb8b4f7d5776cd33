/** A promise that never settles. Each is its own: one that all share would keep alive whoever has waited for it. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
