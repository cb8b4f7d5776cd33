const scheme = /^[A-Za-z][\w+.-]*:/u;
/** What follows is a path. It has no user and no host. */
const pathScheme = /^(?:file|sqlite|memory):$/iu;
const secretParameter = /(?<=[?&][^=&#]*(?:pass|pwd|secret|token|key)[^=&#]*=)[^&#]*/giu;
/** A name and a colon that no port follows: a password whose host was forgotten. */
const withoutHost = /^(?:\/\/)?[^:/?,[]*:(?!\d{0,5}(?:[/?,]|$))/u;
const mask = '***';

/** From the first character to the one after the last. */
type Span = readonly [from: number, to: number];

/** A store's URL for messages: without its password, which would end up in logs. */
export function maskedUrl(url: string): string {
  const [start = ''] = scheme.exec(url) ?? [];
  const rest = url.slice(start.length);
  const parameters = [...rest.matchAll(secretParameter)].map(
    ({ index, 0: value }): Span => [index, index + value.length],
  );
  let shown = '';
  let at = 0;
  for (const [from, to] of [passwordOf(rest, start), ...parameters].toSorted(([a], [b]) => a - b)) {
    if (from >= to || to <= at) continue;
    // What overlaps is one secret.
    if (from > at || at === 0) shown += rest.slice(at, from) + mask;
    at = to;
  }
  return start + shown + rest.slice(at);
}

function passwordOf(rest: string, start: string): Span {
  // A password may contain anything, also an @ that should have been escaped.
  const at = rest.lastIndexOf('@');
  if (at === -1)
    return pathScheme.test(start) ? [0, 0] : [withoutHost.exec(rest)?.[0].length ?? rest.length, rest.length];
  const user = rest.slice(0, at);
  const colon = user.indexOf(':');
  if (colon !== -1) return [colon + 1, at];
  // Others than Postgres take a token in its place.
  return user.startsWith('//') && !start.startsWith('postgres') ? [2, at] : [0, 0];
}
