import type { Shape } from '../value/data-shape.ts';

/**
 * What a store keeps as JSON; undefined if it is none, or has another shape. A checksum does not tell: whoever can write to
 * the store can compute it.
 */
export function storedJson(text: string, fits: Shape): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
