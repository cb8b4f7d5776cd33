import type { JSX } from 'preact';

/** Store. */
export function StorePage(): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>Store</h1>
      </div>
    </div>
  );
}
