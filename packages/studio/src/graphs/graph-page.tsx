import type { JSX } from 'preact';

/** A graph. */
export function GraphPage({ name }: { readonly name: string }): JSX.Element {
  return (
    <div class="page">
      <div class="head">
        <h1>{name}</h1>
      </div>
    </div>
  );
}
