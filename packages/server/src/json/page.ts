import { jsonText } from './text.ts';

/** The first items that fit into so many characters of JSON, and at least one: a page must not grow without bound. */
export function fitting<T>(items: readonly T[], maxLength: number): readonly T[] {
  let left = maxLength;
  const over = items.findIndex((item, at) => {
    left -= jsonText(item).length;
    return left < 0 && at > 0;
  });
  return over < 0 ? items : items.slice(0, over);
}
