import type { Output } from '../output/output.ts';

const width = 30;
/** Often enough to look smooth. */
const everyMs = 80;

/** Progress towards a known total. Only on a terminal, on stderr. */
export class ProgressBar {
  readonly #out: Output;
  readonly #total: number;
  #drawnAt = 0;
  #isDrawn = false;

  constructor(out: Output, total: number) {
    this.#out = out;
    this.#total = total;
  }

  show(what: string, done: number): void {
    const isLast = done >= this.#total;
    if (!this.#out.notesOnTerminal || (!isLast && performance.now() - this.#drawnAt < everyMs)) return;
    this.#drawnAt = performance.now();
    this.#isDrawn = true;
    this.#out.replaceNote(`${what} ${barText(done, this.#total)}`);
  }

  end(): void {
    if (this.#isDrawn) this.#out.replaceNote('');
  }
}

/** A bar of 30 characters with the numbers next to it. */
export function barText(done: number, total: number): string {
  const part = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.round(part * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${done}/${total}`;
}
