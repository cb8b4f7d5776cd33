import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from './state.tsx';

/** A part of a page whose code is loaded when it is first shown. Nothing stands in for it: it is there in a moment. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => JSX.Element | null {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, show] = useState(loaded !== undefined);
    const [error, setError] = useState<Error>();
    const begin = (): void => {
      setError(undefined);
      load().then(
        (component) => {
          loaded = component;
          show(true);
        },
        (cause: unknown) => setError(cause instanceof Error ? cause : new Error(String(cause))),
      );
    };
    useEffect(() => {
      if (loaded === undefined) begin();
    }, []);
    if (error !== undefined) return <Problem error={error} onRetry={begin} />;
    const Loaded = loaded;
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
