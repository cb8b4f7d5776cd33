/** A checkpoint, as far as its place in a history goes. */
interface Placed {
  readonly id: string;
  readonly parentId: string | null;
}

/** The newest checkpoint that both histories have or begin at; undefined: they share none that is known. */
export function partedAt(left: readonly Placed[], right: readonly Placed[]): string | undefined {
  const known = new Set(left.flatMap(({ id, parentId }) => (parentId === null ? [id] : [id, parentId])));
  for (const { id, parentId } of right) {
    if (known.has(id)) return id;
    if (parentId !== null && known.has(parentId)) return parentId;
  }
  return undefined;
}

/** What came after a checkpoint, oldest first. Histories are given newest first. */
export function since<C extends Placed>(history: readonly C[], checkpoint: string): readonly C[] {
  const at = history.findIndex(({ id }) => id === checkpoint);
  if (at !== -1) return history.slice(0, at).toReversed();
  const first = history.findIndex(({ parentId }) => parentId === checkpoint);
  return first === -1 ? [] : history.slice(0, first + 1).toReversed();
}
