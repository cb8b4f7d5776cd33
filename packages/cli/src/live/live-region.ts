import type { Output } from '../output/output.ts';

/** Lines at the bottom of a terminal that change in place while others scroll by above them. */
export class LiveRegion {
  readonly #out: Output;
  #drawn = 0;
  #lines: readonly string[] = [];

  constructor(out: Output) {
    this.#out = out;
  }

  /** Replaces the live lines. */
  draw(lines: readonly string[]): void {
    this.#lines = lines;
    this.#write([]);
  }

  /** Prints a permanent line above the live ones. */
  print(line: string): void {
    this.#write([line]);
  }

  #write(above: readonly string[]): void {
    this.#out.replaceLines(this.#drawn, [...above, ...this.#lines]);
    this.#drawn = this.#lines.length;
  }

  /** Leaves the lines on the screen as they are. */
  end(): void {
    this.#drawn = 0;
    this.#lines = [];
  }
}
