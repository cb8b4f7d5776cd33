/** A graph and its share of the store. */
export interface SizePart {
  readonly name: string;
  readonly size: number;
}

/** The colours of parts, from the largest on. */
export const sizeColours = ['k0', 'k1', 'k2', 'k3'] as const;

/** The largest graphs, and all the others as one part. */
export function largestWithRest(
  graphs: readonly { readonly graph: string; readonly bytes: number }[],
  most: number,
): readonly SizePart[] {
  const parts = graphs
    .map(({ graph, bytes: size }): SizePart => ({ name: graph, size }))
    .toSorted((one, other) => other.size - one.size);
  if (parts.length <= most + 1) return parts;
  const rest = parts.slice(most).reduce((sum, { size }) => sum + size, 0);
  return [...parts.slice(0, most), { name: 'others', size: rest }];
}
