const terminalNames = new Set(['completed', 'failed', 'cancelled', 'terminal']);

/** Whether a checkpoint's status says that its run has ended: one answer for every store, in any case of letters. */
export function isTerminal(status: string): boolean {
  const name = status.toLowerCase();
  return name.startsWith('terminal:') || terminalNames.has(name);
}
