import { type Json, plain } from './plain.ts';

/** Stands for what is hidden. */
export const redacted = '[redacted]';

/** The keys that lead from here to something hidden. `*` is any key. */
type Path = readonly string[];

/** What is hidden of a value: all of it, some of it, or nothing. */
export class Hiding {
  readonly #paths: readonly Path[];

  constructor(paths: readonly Path[]) {
    this.#paths = paths;
  }

  /** Whether the value itself is hidden. */
  get isWhole(): boolean {
    return this.#paths.some((path) => path.length === 0);
  }

  /** What is hidden of a field or an item. */
  in(key: string): Hiding {
    return this.#paths.length === 0 ? this : new Hiding(this.#within(key));
  }

  /** The same of an item of a list, a set or a map. A pair of a map is named by its number, and its value by its key, too. */
  item(at: number, item: unknown, isPair: boolean): Hiding {
    if (this.#paths.length === 0) return this;
    const own = this.#within(String(at));
    if (!isPair) return new Hiding(own);
    const [key] = item as readonly [unknown, unknown];
    return new Hiding([...own, ...this.#within(keyText(key)).map((path) => ['1', ...path])]);
  }

  /** What either hides. */
  and(other: Hiding): Hiding {
    return new Hiding([...this.#paths, ...other.#paths]);
  }

  /** The value as plain JSON, without what is hidden. */
  plain(value: unknown): Json {
    if (this.isWhole) return redacted;
    if (this.#paths.length === 0) return plain(value);
    const items = itemsOf(value);
    if (items !== undefined) return items.map((each, at) => this.item(at, each, value instanceof Map).plain(each));
    const fields = value instanceof Error ? plain(value) : value;
    if (!isFields(fields)) return plain(fields);
    const shown = Object.entries(fields).flatMap(([key, each]) =>
      each === undefined ? [] : [[key, this.in(key).plain(each)] as const],
    );
    return Object.fromEntries(shown);
  }

  #within(key: string): readonly Path[] {
    return this.#paths.flatMap(([next, ...rest]) => (next === '*' || next === key ? [rest] : []));
  }
}

/** The items of a list, a set, or a map, which is a list of pairs. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof Map || value instanceof Set ? [...value] : undefined;
}

function keyText(key: unknown): string {
  const shown = plain(key);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Uint8Array);
}
