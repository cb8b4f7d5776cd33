import type { Shape } from '../value/data-shape.ts';

/**
 * What a store keeps as JSON; undefined if it is none, or has another shape. A checksum does not tell: whoever can write to
 * the store can compute it.
 */
export function storedJson<T>(text: string, fits: Shape): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
