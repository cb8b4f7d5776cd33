/** A promise that never settles. Each call returns a new one: a shared one would keep everything that awaits it alive. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
