import type { JSX } from 'preact';

/** Compare. */
export function ComparePage(): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>Compare</h1>
      </div>
    </div>
  );
}
