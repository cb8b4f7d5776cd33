import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Line } from '../worker/line.ts';

/** What one life has written down, read as it grows. */
export class Ledger {
  readonly #path: string;
  /** All that was read. */
  readonly lines: Line[] = [];
  readonly #decoder = new StringDecoder('utf8');
  #offset = 0;
  /** A line that is not yet whole. A kill may have cut the last one off. */
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** What was added since the last time. */
  read(): readonly Line[] {
    const lines = `${this.#rest}${this.#added()}`.split('\n');
    this.#rest = lines.pop() as string;
    const added = lines.map((line) => JSON.parse(line) as Line);
    for (const line of added) this.lines.push(line);
    return added;
  }

  #added(): string {
    if (!existsSync(this.#path)) return '';
    const file = openSync(this.#path, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#offset);
      this.#offset += readSync(file, bytes, 0, bytes.length, this.#offset);
      return this.#decoder.write(bytes);
    } finally {
      closeSync(file);
    }
  }
}
