import { constants } from 'node:os';

/** The signals by which a process is asked to end. */
export type EndSignal = 'SIGTERM' | 'SIGINT';

const endSignals: readonly EndSignal[] = ['SIGTERM', 'SIGINT'];

/** Calls back when the process is asked to end, in place of ending it. Returns how to stop. */
export function onEndSignal(listener: (signal: EndSignal) => void): () => void {
  for (const signal of endSignals) process.on(signal, listener);
  return () => {
    for (const signal of endSignals) process.removeListener(signal, listener);
  };
}

/** The exit code of a process that ended because of a signal, as shells know it. */
export function setExitCode(signal: EndSignal): void {
  process.exitCode = 128 + constants.signals[signal];
}

/** Ends this process as the signal would have if nobody had listened for it. */
export function endBy(signal: EndSignal): void {
  process.kill(process.pid, signal);
}
