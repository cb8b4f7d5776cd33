import { constants } from 'node:os';

/** The signals that ask a process to exit. */
export type EndSignal = 'SIGTERM' | 'SIGINT';

const endSignals: readonly EndSignal[] = ['SIGTERM', 'SIGINT'];

/** Calls the listener instead of exiting when the process is asked to exit. Returns a function that removes the listener. */
export function onEndSignal(listener: (signal: EndSignal) => void): () => void {
  for (const signal of endSignals) process.on(signal, listener);
  return () => {
    for (const signal of endSignals) process.removeListener(signal, listener);
  };
}

/** Sets the exit code that shells use for a process ended by a signal. */
export function setExitCode(signal: EndSignal): void {
  process.exitCode = 128 + constants.signals[signal];
}

/** Ends this process by the signal's default action. Remove all listeners first. */
export function endBy(signal: EndSignal): void {
  process.kill(process.pid, signal);
}
