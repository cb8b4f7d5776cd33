const scheme = /^postgres(?:ql)?:\/\//u;

/** A store's URL for people to read: without its password, which would end up in logs. */
export function shownStore(url: string): string {
  const [start] = scheme.exec(url) ?? [];
  if (start === undefined) return url;
  const rest = url.slice(start.length);
  // A password may contain anything, also an @ that should have been escaped.
  const at = rest.lastIndexOf('@');
  const [user = ''] = rest.slice(0, Math.max(at, 0)).split(':', 1);
  if (at >= 0) return rest.slice(0, at).includes(':') ? `${start}${user}:***${rest.slice(at)}` : url;
  // Without an @, what follows a colon is a port, or a password whose host was forgotten.
  return rest.replace(/^([^:/?,]*):(?!\d+(?:[/?,]|$))[^?]*/u, `$1:***`).replace(/^/u, start);
}
