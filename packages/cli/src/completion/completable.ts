/** The run ids that the library accepts. None of these characters is special to a shell. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u;

/** Whether this text is safe to pass to a shell. A store that was tampered with may contain anything. */
export function isCompletable(text: string): boolean {
  return idPattern.test(text);
}
