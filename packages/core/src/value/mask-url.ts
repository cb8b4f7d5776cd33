const scheme = /^[A-Za-z][\w+.-]*:/u;
const secretParameter = /([?&][^=&#]*(?:pass|pwd|secret|token|key)[^=&#]*=)[^&#]*/giu;
const mask = '***';

/** A store's URL for messages: without its password, which would end up in logs. */
export function maskedUrl(url: string): string {
  const [start = ''] = scheme.exec(url) ?? [];
  const rest = url.slice(start.length);
  // A password may contain anything, also an @ that should have been escaped.
  const at = rest.lastIndexOf('@');
  const user = rest.slice(0, Math.max(at, 0));
  const colon = user.indexOf(':');
  const isUser = user.startsWith('//') || colon !== -1;
  if (at === -1 || !isUser) return url.replace(secretParameter, `$1${mask}`);
  const shown = colon === -1 ? '//' : user.slice(0, colon + 1);
  return start + shown + mask + rest.slice(at).replace(secretParameter, `$1${mask}`);
}
