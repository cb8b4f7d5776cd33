import type { RunStatus } from 'holdfast';
import { type Palette, paletteOf, styleOf, wantsColor } from './palette.ts';
import { plainJson } from './plain-json.ts';
import { terminalLine, terminalText } from './style-marks.ts';
import { type Cell, table } from './table.ts';
import { relativeTime } from './times.ts';

/** For a person, or for a program as one object or as one object per line. */
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

/** The `schema` of a list for `--json`, and of one item for `--jsonl`. */
interface ListNames {
  readonly all: string;
  readonly one: string;
}

interface ListOptions<T> {
  readonly names: ListNames;
  readonly items: AsyncIterable<T> | Iterable<T>;
  readonly human: (items: readonly T[]) => readonly string[];
}

/**
 * Writes data to stdout and everything else to stderr, for people or for programs. Everything it writes, except the bytes
 * of an export, is escaped here: no text controls the terminal, wherever it comes from.
 */
export class Output {
  readonly mode: Mode;
  /** Whether a person reads stdout. */
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

  /** The width of stdout in columns. Piped output is never cut. */
  get width(): number {
    return this.isTerminal ? (this.#stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  /** Writes one line to stdout. */
  line(text = ''): void {
    this.#stdout.write(`${terminalLine(text)}\n`);
  }

  /** Writes the lines of a text to stdout. */
  text(text: string): void {
    this.#stdout.write(terminalText(text));
  }

  /** Writes lines to stdout in place of the last `count` ones. Only on a terminal. */
  replaceLines(count: number, lines: readonly string[]): void {
    const up = count === 0 ? '' : `\u001b[${count}A\r\u001b[J`;
    this.#stdout.write(up + lines.map((line) => `${terminalLine(line)}\n`).join(''));
  }

  /** Writes bytes to stdout, with backpressure. */
  async bytes(chunk: Uint8Array): Promise<void> {
    if (this.#stdout.write(chunk) === false)
      await new Promise<void>((resolve) => this.#stdout.once?.('drain', resolve));
  }

  /** Whether a person reads stderr. */
  get notesOnTerminal(): boolean {
    return this.mode === 'human' && this.#stderr.isTTY === true;
  }

  /** Writes an unfinished line to stderr, in place of the one before it. Only on a terminal. */
  replaceNote(text: string): void {
    this.#stderr.write(`\r\u001b[K${terminalLine(text)}`);
  }

  /** Writes one line to stderr. */
  note(text: string): void {
    this.#stderr.write(`${terminalLine(text)}\n`);
  }

  /** Writes the lines of a text to stderr: a stack trace, a usage error. */
  notes(text: string): void {
    this.#stderr.write(terminalText(text));
  }

  /** Writes a hint to stderr, only for people. */
  hint(text: string): void {
    if (this.mode === 'human') this.note(this.notePaint.dim(text));
  }

  /** Writes one result: an object for programs, lines for people. */
  result(schema: string, value: Readonly<Record<string, unknown>>, human: () => readonly string[]): void {
    if (this.mode === 'human') for (const line of human()) this.line(line);
    else this.#json(schema, value);
  }

  /** Writes one item of a stream. */
  item(schema: string, value: Readonly<Record<string, unknown>>, human: () => string): void {
    this.result(schema, value, () => [human()]);
  }

  /** Writes a list: one object, one object per item, or lines for people. */
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
    const indent = this.mode === 'json' && this.#stdout.isTTY === true ? 2 : undefined;
    this.text(`${JSON.stringify(plain, null, indent)}\n`);
  }

  /** Formats a table to fit the width. */
  table(head: readonly string[], rows: readonly (readonly (Cell | string)[])[]): readonly string[] {
    if (rows.length === 0) return [];
    return table({ head, rows, width: this.width, paintHead: this.paint.dim });
  }

  /** Formats a time: relative on a terminal, exact elsewhere. */
  time(at: Date): string {
    return this.isTerminal ? relativeTime(at, Date.now()) : at.toISOString();
  }

  status(status: RunStatus): Cell {
    return { text: status, paint: this.paint[styleOf(status)] };
  }
}
