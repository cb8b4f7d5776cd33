/** What must be undone however the process ends, the newest first. */
const tasks = new Set<() => void>();
let installed = false;

/** Has the task done when the process ends, also by Ctrl-C or an error; returns how to take it off the list. */
export function onEnd(task: () => void): () => void {
  install();
  tasks.add(task);
  return () => tasks.delete(task);
}

function install(): void {
  if (installed) return;
  installed = true;
  process.on('exit', runAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
}

function runAll(): void {
  for (const task of [...tasks].toReversed()) {
    tasks.delete(task);
    try {
      task();
    } catch (error) {
      process.stderr.write(`Not cleaned up: ${String(error)}\n`);
    }
  }
}
