import type { RunStatus } from 'holdfast';
import { type Palette, paletteOf, styleOf, wantsColor } from './palette.ts';
import { plainJson } from './plain-json.ts';
import { type Cell, table } from './table.ts';
import { relativeTime } from './times.ts';

/** Who reads: a person, a program that wants one object, or one that wants a line each. */
export type Mode = 'human' | 'json' | 'jsonl';

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array): unknown;
  once?(event: 'drain', listener: () => void): unknown;
}

/** Where a command writes to. */
export interface OutputOptions {
  readonly mode: Mode;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/** What a list is called as a whole and one by one: the `schema` of `--json` and of `--jsonl`. */
interface ListNames {
  readonly all: string;
  readonly one: string;
}

interface ListOptions<T> {
  readonly names: ListNames;
  readonly items: AsyncIterable<T> | Iterable<T>;
  readonly human: (items: readonly T[]) => readonly string[];
}

/** Data goes to stdout and everything else to stderr; what a person reads and what a program reads is chosen here. */
export class Output {
  readonly mode: Mode;
  /** Whether a person looks at the data. */
  readonly isTerminal: boolean;
  readonly paint: Palette;
  readonly notePaint: Palette;
  readonly #stdout: Stream;
  readonly #stderr: Stream;

  constructor({ mode, env, stdout, stderr }: OutputOptions) {
    this.mode = mode;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isTerminal = mode === 'human' && stdout.isTTY === true;
    this.paint = paletteOf(mode === 'human' && wantsColor(stdout.isTTY === true, env));
    this.notePaint = paletteOf(wantsColor(stderr.isTTY === true, env));
  }

  /** How many columns the data may take; what is piped is never cut. */
  get width(): number {
    return this.isTerminal ? (this.#stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  /** One line of data for a person. */
  line(text = ''): void {
    this.#stdout.write(`${text}\n`);
  }

  /** Data as it is: control sequences of a live view, a script. */
  raw(text: string): void {
    this.#stdout.write(text);
  }

  /** Data as bytes, no faster than they are read. */
  async bytes(chunk: Uint8Array): Promise<void> {
    if (this.#stdout.write(chunk) === false)
      await new Promise<void>((resolve) => this.#stdout.once?.('drain', resolve));
  }

  /** Whether a person looks at the notes. */
  get notesOnTerminal(): boolean {
    return this.mode === 'human' && this.#stderr.isTTY === true;
  }

  /** Control sequences for who looks at the notes. */
  rawNote(text: string): void {
    this.#stderr.write(text);
  }

  /** Something to know that is no data. */
  note(text: string): void {
    this.#stderr.write(`${text}\n`);
  }

  /** A hint for a person: programs have no use for it. */
  hint(text: string): void {
    if (this.mode === 'human') this.note(this.notePaint.dim(text));
  }

  /** One result: an object for programs, lines for people. */
  result(schema: string, value: Readonly<Record<string, unknown>>, human: () => readonly string[]): void {
    if (this.mode === 'human') for (const line of human()) this.line(line);
    else this.#json(schema, value);
  }

  /** One item of a stream. */
  item(schema: string, value: Readonly<Record<string, unknown>>, human: () => string): void {
    this.result(schema, value, () => [human()]);
  }

  /** A list: one object with all of it, an object an item, or lines for people. */
  async list<T extends object>({ names, items, human }: ListOptions<T>): Promise<number> {
    const all: T[] = [];
    let count = 0;
    for await (const item of items) {
      count += 1;
      if (this.mode === 'jsonl') this.#json(names.one, item as Readonly<Record<string, unknown>>);
      else all.push(item);
    }
    if (this.mode === 'json') this.#json(names.all, { [names.all]: all });
    else if (this.mode === 'human') for (const line of human(all)) this.line(line);
    return count;
  }

  #json(schema: string, value: Readonly<Record<string, unknown>>): void {
    const plain = { schema: `holdfast.${schema}/1`, ...(plainJson(value) as object) };
    this.line(JSON.stringify(plain, null, this.mode === 'json' && this.#stdout.isTTY === true ? 2 : undefined));
  }

  /** A table that fits. */
  table(head: readonly string[], rows: readonly (readonly (Cell | string)[])[]): readonly string[] {
    if (rows.length === 0) return [];
    return table({ head, rows, width: this.width, paintHead: this.paint.dim });
  }

  /** Relative for a person, exact for a program. */
  time(at: Date): string {
    return this.isTerminal ? relativeTime(at, Date.now()) : at.toISOString();
  }

  status(status: RunStatus): Cell {
    return { text: status, paint: this.paint[styleOf(status)] };
  }
}
