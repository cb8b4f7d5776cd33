/** Options of features that are planned. Their names are reserved: nothing else is called like this. */
const planned: ReadonlySet<string> = new Set(['debounce', 'delay', 'limits', 'priority']);

/** Whether an option is not there yet, rather than misspelt. */
export function isPlanned(option: string): boolean {
  return planned.has(option);
}
