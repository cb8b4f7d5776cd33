import { Hiding, redacted } from './hiding.ts';
import type { Json } from './plain.ts';

const roots = [
  'answers',
  'by',
  'emits',
  'errors',
  'input',
  'label',
  'logs',
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
  readonly #hiding: Hiding;
  /** Whether anything is hidden at all. */
  readonly isActive: boolean;

  /** @throws TypeError for a pointer that can match nothing: a typo must not leak a secret */
  constructor(pointers: readonly string[] = []) {
    this.#hiding = new Hiding(pointers.map(parsePointer));
    this.isActive = pointers.length > 0;
  }

  /** What is hidden of the value at this place. */
  at(place: readonly string[]): Hiding {
    let hiding = this.#hiding;
    for (const key of place) {
      // What is within something hidden is hidden, too.
      if (hiding.isWhole) return hiding;
      hiding = hiding.in(key);
    }
    return hiding;
  }

  /** A stored value as plain JSON, without what is hidden in it. */
  value(place: Place, value: unknown): Json {
    return this.at(place).plain(value);
  }

  /** The same for a text. */
  text(place: Place, text: string): string {
    return this.at(place).isWhole ? redacted : text;
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
