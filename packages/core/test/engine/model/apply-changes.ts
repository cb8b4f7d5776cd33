import type { Change } from 'holdfast';

type Tree = Record<string, unknown>;

/** A value with changes made to it, as anybody who reads a diff would make them: by JSON pointer, in order. */
export function applyChanges(value: unknown, changes: readonly Change[]): unknown {
  const root = { value: structuredClone(value) };
  for (const { op, path, after } of changes) {
    const keys = path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() as string;
    let target = root as Tree;
    for (const [at, key] of keys.entries()) target = target[at === 0 ? 'value' : key] as Tree;
    if (Array.isArray(target)) {
      if (op === 'remove') target.splice(Number(last), 1);
      else target[Number(last)] = after;
    } else if (op === 'remove') delete target[last];
    else target[last] = after;
  }
  return root.value;
}
