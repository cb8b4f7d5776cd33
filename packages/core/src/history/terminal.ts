const terminalNames = new Set(['completed', 'failed', 'cancelled', 'terminal']);

/** Whether a checkpoint's status means that its run has ended, in upper or lower case. */
export function isTerminal(status: string): boolean {
  const name = status.toLowerCase();
  return name.startsWith('terminal:') || terminalNames.has(name);
}
