import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem, Skeleton } from '../part/state.tsx';

type View = (props: { readonly runId: string; readonly view: string }) => JSX.Element | null;

/** A run. What its page is made of is loaded with the first run that is looked at. */
export function RunPage({ runId, view }: { readonly runId: string; readonly view: string }): JSX.Element {
  const [Loaded, setLoaded] = useState<{ readonly View: View }>();
  const [error, setError] = useState<Error>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    import('./page/run-view.tsx').then(
      ({ RunView }) => setLoaded({ View: RunView }),
      (cause: unknown) => setError(cause instanceof Error ? cause : new Error(String(cause))),
    );
  }, [turn]);
  if (Loaded !== undefined) return <Loaded.View runId={runId} view={view} />;
  if (error === undefined) return <Skeleton what="the run page" />;
  const retry = (): void => {
    setError(undefined);
    setTurn(turn + 1);
  };
  return <Problem error={error} onRetry={retry} />;
}
