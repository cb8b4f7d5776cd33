import type { JSX } from 'preact';

/** Runs. */
export function RunsPage(): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>Runs</h1>
      </div>
    </div>
  );
}
