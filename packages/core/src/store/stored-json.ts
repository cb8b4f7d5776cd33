import type { Shape } from '../value/shape.ts';

/**
 * What a store keeps as JSON; undefined if it is none, or has another shape. A checksum does not tell: whoever can write to
 * the store can compute it.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the shape vouches for the type
export function storedJson<T>(text: string, fits: Shape): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
