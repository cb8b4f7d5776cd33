/** The run ids that the library accepts; none of these characters means anything to a shell. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u;

/** Whether a shell may be given this text: a store that was tampered with can hold any. */
export function isCompletable(text: string): boolean {
  return idPattern.test(text);
}
