import type { JSX } from 'preact';

/** Overview. */
export function OverviewPage(): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>Overview</h1>
      </div>
    </div>
  );
}
