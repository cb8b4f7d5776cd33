import { nodeEnv } from './node-env.ts';
import { type EndSignal, endBy, onEndSignal, setExitCode } from './node-signals.ts';

/**
 * Shuts down at the first signal. The second one ends the process at once: everything acknowledged is already durable.
 * Returns how to stop listening.
 */
export function shutdownOnSignal(shutdown: (reason: string) => Promise<unknown>): () => void {
  let isAsked = false;
  const stop = onEndSignal((signal) => {
    if (isAsked) {
      stop();
      endBy(signal);
      return;
    }
    isAsked = true;
    void end(signal);
  });
  const end = async (signal: EndSignal): Promise<void> => {
    try {
      await shutdown(signal);
    } catch (error) {
      nodeEnv.warn(`The shutdown after ${signal} failed: ${String(error)}`);
    }
    setExitCode(signal);
    stop();
  };
  return () => {
    if (!isAsked) stop();
  };
}
