import type { JSX } from 'preact';

/** Graphs. */
export function GraphsPage(): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>Graphs</h1>
      </div>
    </div>
  );
}
