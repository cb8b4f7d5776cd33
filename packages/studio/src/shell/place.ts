/** A page of the studio and what it shows. */
export type Page = 'overview' | 'runs' | 'run' | 'compare' | 'graphs' | 'graph' | 'store' | 'missing';

/** Where the viewer is: everything that a shared address keeps. */
export interface Place {
  readonly page: Page;
  /** The run or the graph. */
  readonly name: string;
  /** A view of the run: `takeover`. */
  readonly view: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The place of a path below the mount and its query. */
export function placeOf(path: string, search: string): Place {
  const query = Object.fromEntries(new URLSearchParams(search));
  const parts = path.split('/').filter((part) => part !== '');
  const [first = '', name = '', view = ''] = parts.map(decoded);
  const isOne = parts.length === 1;
  const place = (page: Page): Place => ({ page, name, view, query });
  if (parts.length === 0) return place('overview');
  if (first === 'runs') return place(isOne ? 'runs' : parts.length <= 3 ? 'run' : 'missing');
  if (first === 'graphs' && parts.length <= 2) return place(isOne ? 'graphs' : 'graph');
  if (isOne && (first === 'compare' || first === 'store')) return place(first);
  return place('missing');
}

/** A path below the mount: `pathTo(['runs', 'ord_81'], { at: '14' })` is `runs/ord_81?at=14`. Empty values are left out. */
export function pathTo(parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const path = parts.map((part) => encodeURIComponent(part)).join('/');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
