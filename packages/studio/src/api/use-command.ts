import { useState } from 'preact/hooks';
import { announce } from '../shell/announce.ts';
import { asked } from './live.ts';
import { refresh } from './pulse.ts';

/** A command that a person gives. */
export interface Command<A extends readonly unknown[], T> {
  /** Gives it. Undefined: it was refused, and `error` says why. */
  readonly give: (...args: A) => Promise<T | undefined>;
  readonly isBusy: boolean;
  readonly error: Error | undefined;
  /** Forgets the error. */
  readonly clear: () => void;
}

/** A command, with what became of it. What is shown is asked for again, and a screen reader is told. */
export function useCommand<A extends readonly unknown[], T>(
  run: (...args: A) => Promise<T>,
  done: (answer: T, ...args: A) => string,
): Command<A, T> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const give = async (...args: A): Promise<T | undefined> => {
    setBusy(true);
    setError(undefined);
    try {
      const answer = await asked(run(...args));
      announce(done(answer, ...args));
      return answer;
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)));
      return undefined;
    } finally {
      setBusy(false);
      refresh();
    }
  };
  return { give, isBusy, error, clear: () => setError(undefined) };
}
