import { oneLine } from '../output/printable.ts';

/** Prints the warnings of Node and of the library in one line each, escaped: Node would print them as they are. */
export function tellWarnings(write: (text: string) => void): void {
  // With --no-warnings, Node does not listen either.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (!isAboutSqlite(warning)) write(`holdfast: ${warning.name}: ${oneLine(warning.message)}\n`);
  });
}

/** Node 22 warns of its own SQLite, which we test on every version that we support: docs/stores.md. */
function isAboutSqlite({ name, message }: Error): boolean {
  return name === 'ExperimentalWarning' && message.startsWith('SQLite is an experimental feature');
}
