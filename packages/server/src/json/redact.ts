import type { Json } from './plain.ts';

/** Replaces what a pointer matches. */
export const redacted = '[redacted]';

const roots = [
  'answers',
  'by',
  'emits',
  'errors',
  'input',
  'label',
  'messages',
  'output',
  'questions',
  'reason',
  'state',
  'tags',
] as const;

/** Where a value comes from, then the keys that lead to it. */
export type Place = readonly [(typeof roots)[number], ...(readonly string[])];

/** Hides values by their place, before they leave the server. */
export class Redactor {
  readonly #patterns: readonly (readonly string[])[];

  /** @throws TypeError for a pointer that can match nothing: a typo must not leak a secret */
  constructor(pointers: readonly string[] = []) {
    this.#patterns = pointers.map(parsePointer);
  }

  /** Whether anything is hidden at all. */
  get isActive(): boolean {
    return this.#patterns.length > 0;
  }

  /** Whether a value or anything around it is hidden. */
  hides(place: readonly string[]): boolean {
    return this.#patterns.some(
      (pattern) => pattern.length <= place.length && pattern.every((key, at) => key === '*' || key === place[at]),
    );
  }

  /** The value without what is hidden in it. */
  value(place: Place, value: Json): Json {
    return this.isActive ? this.#value(place, value) : value;
  }

  /** The same for a text. */
  text(place: Place, text: string): string {
    return this.hides(place) ? redacted : text;
  }

  #value(place: readonly string[], value: Json): Json {
    if (this.hides(place)) return redacted;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each: Json, at) => this.#value([...place, String(at)], each));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#value([...place, key], each)]));
  }
}

function parsePointer(pointer: string): readonly string[] {
  const keys = pointerKeys(pointer);
  if (keys !== undefined && (roots as readonly (string | undefined)[]).includes(keys[0])) return keys;
  throw new TypeError(
    `redact: ${JSON.stringify(pointer)} matches nothing. Begin it with / and one of ${roots.join(', ')}. Example: /state/customer/email.`,
  );
}

/** The keys of a JSON pointer. Undefined if it is none. */
export function pointerKeys(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
