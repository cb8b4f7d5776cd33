/** A title as a pattern: `%s` and its kind, and `$name`, stand for whatever a table of cases puts there. */
export function titlePattern(title: string): string {
  const parts = title.split(/%[sdifjoOc#]|\$[\w.]+/);
  return parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('[\\s\\S]*');
}

/** The titles of a file's tests, as they are written there. */
export function titlesIn(source: string): readonly string[] {
  const starts = source.match(/\btest(?:\.each)?\(/g) ?? [];
  const found = [...source.matchAll(/\btest(?:\.each\(.*?\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gs)];
  if (found.length !== starts.length) throw new Error(`${starts.length} tests, but ${found.length} titles can be read`);
  return found.map(([, single, double]) => (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
}
