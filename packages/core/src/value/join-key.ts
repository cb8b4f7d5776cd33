/** The key of a join: `a+b>c`. Unambiguous, because names contain neither + nor >. The order of the nodes does not matter. */
export function joinKey(sources: readonly string[], targets: readonly string[]): string {
  return `${sources.toSorted().join('+')}>${targets.toSorted().join('+')}`;
}

/** The key of the same join after its nodes were renamed. */
export function renamedJoinKey(key: string, rename: (node: string) => string): string {
  const [sources = [], targets = []] = key.split('>').map((names) => names.split('+').map(rename));
  return joinKey(sources, targets);
}
