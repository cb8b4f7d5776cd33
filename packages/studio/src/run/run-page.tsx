import type { JSX } from 'preact';

/** A run. */
export function RunPage({ runId, view }: { readonly runId: string; readonly view: string }): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>{runId}</h1>
        <p>{view}</p>
      </div>
    </div>
  );
}
