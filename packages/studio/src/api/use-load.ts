import { useEffect, useRef, useState } from 'preact/hooks';
import { asked, isUnreachable } from './live.ts';
import { pulse } from './pulse.ts';

/** Something that is asked for, and asked for again while it is shown. */
export interface Loaded<T> {
  /** The last answer. It stays while the next one is awaited, and while the connection is lost. */
  readonly data: T | undefined;
  /** Why there is none. A lost connection is no error once there was an answer. */
  readonly error: Error | undefined;
  /** True if nothing is there after 300 ms: before, a skeleton would only flicker. */
  readonly isSlow: boolean;
  /** When `data` was answered. */
  readonly asOf: number;
  readonly reload: () => void;
}

interface Held<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: Error | undefined;
  readonly asOf: number;
}

const slowMs = 300;

/**
 * Loads what `key` names, and again with each pulse. Undefined: nothing is loaded. An answer that comes after the key has
 * changed is dropped.
 */
export function useLoad<T>(
  key: string | undefined,
  load: () => Promise<T>,
  { isLive = true }: { readonly isLive?: boolean } = {},
): Loaded<T> {
  const [held, setHeld] = useState<Held<T>>();
  const [slowKey, setSlowKey] = useState<string>();
  const [turn, setTurn] = useState(0);
  const wanted = useRef(key);
  wanted.current = key;
  const beat = isLive ? pulse.value : 0;
  // A beat during a request would start a second one: the answer of the first is new enough.
  const asking = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (key === undefined || asking.current === `${key} ${turn}`) return;
    asking.current = `${key} ${turn}`;
    const settle = (next: (before: Held<T> | undefined) => Held<T>): void => {
      asking.current = undefined;
      if (wanted.current === key) setHeld(next);
    };
    asked(load()).then(
      (data) => settle(() => ({ key, data, asOf: Date.now() })),
      (cause: unknown) => {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        settle((before) => (before?.key === key && isUnreachable(error) ? before : { key, error, asOf: Date.now() }));
      },
    );
  }, [key, beat, turn]);
  const current = held?.key === key ? held : undefined;
  const isWaiting = key !== undefined && current === undefined;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setSlowKey(key), slowMs);
    return () => clearTimeout(timer);
  }, [key, isWaiting]);
  return {
    data: current?.data,
    error: current?.error,
    isSlow: isWaiting && slowKey === key,
    asOf: current?.asOf ?? 0,
    reload: () => setTurn((before) => before + 1),
  };
}
