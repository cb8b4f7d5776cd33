/** The end of the name of a store, which tells it from others: `sqlite:.holdfast/holdfast.db` is `holdfast.db`. */
export function shortStoreName(name: string): string {
  const [path = ''] = name.split('?');
  return (
    path
      .replace(/\/+$/u, '')
      .split(/[/\\]|^[a-z]+:/u)
      .findLast((part) => part !== '') ?? name
  );
}
