/** A store's URL for people to read: without its password, which would end up in logs. */
export function shownStore(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^:/@]*):.*@/u, '$1:***@');
}
