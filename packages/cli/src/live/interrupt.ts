import type { ExitCode } from '../failure/exit-code.ts';

/** Which signal has arrived. A second signal exits the process at once. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
  /** The exit code for the signal; undefined if none has arrived. */
  exitCode(): ExitCode | undefined;
}

/** Handles Ctrl-C and SIGTERM: the first one aborts. */
export function handleSignals(onFirst: (name: 'SIGINT' | 'SIGTERM') => void = () => undefined): Interrupt {
  const controller = new AbortController();
  let exitCode: ExitCode | undefined;
  const listener = (name: 'SIGINT' | 'SIGTERM'): void => {
    const code = name === 'SIGINT' ? 130 : 143;
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    onFirst(name);
    controller.abort();
  };
  const interrupt = (): void => listener('SIGINT');
  const terminate = (): void => listener('SIGTERM');
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', terminate);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    [Symbol.dispose]: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
    },
  };
}
