import type { Json, RecordJson } from '@holdfast/server/client';

/** The fields of a record's payload. A server that redacts leaves most of them out, so that nothing is taken for granted. */
export class Payload {
  readonly #fields: Readonly<Record<string, Json>>;

  constructor({ payload }: Pick<RecordJson, 'payload'>) {
    this.#fields = isFields(payload) ? payload : {};
  }

  text(name: string): string | undefined {
    const value = this.#fields[name];
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#fields[name];
    return typeof value === 'number' ? value : undefined;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#fields[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
  }

  value(name: string): Json | undefined {
    return this.#fields[name];
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  /** The names of the fields of an object: of a delta, the channels that changed. */
  keys(name: string): readonly string[] {
    const value = this.#fields[name];
    return isFields(value) ? Object.keys(value) : [];
  }

  /** The task that a record is of: its node, with the number of its item. Empty: it is of none. */
  task(): string {
    const item = this.number('item');
    const node = this.text('node') ?? '';
    return item === undefined ? node : `${node} #${item}`;
  }

  /** When something is due: milliseconds since 1970. */
  time(name: string): number | undefined {
    const value = this.#fields[name];
    if (typeof value === 'number') return value;
    return typeof value === 'string' ? Date.parse(value) : undefined;
  }
}

/** Whether a value is an object with fields. */
export function isFields(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
