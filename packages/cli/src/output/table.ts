import { shortened, widestOf, widthOf } from './printable.ts';

/** A text and its style. */
export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

interface TableOptions {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (Cell | string)[])[];
  /** The width of the terminal. Infinity elsewhere, because piped output is never cut. */
  readonly width: number;
  readonly paintHead: (text: string) => string;
}

const gap = '  ';

/** Formats a table. Columns are as wide as their content; the last one is cut at the edge of the terminal. */
export function table({ head, rows, width, paintHead }: TableOptions): readonly string[] {
  const lines = [head.map((text) => ({ text, paint: paintHead })), ...rows.map((row) => row.map(toCell))];
  const widths = head.map((_, column) => widestOf(lines.map((line) => line[column]?.text ?? '')));
  return lines.map((line) => {
    let left = width;
    const cells = line.map(({ text, paint }, column) => {
      const isLast = column === line.length - 1;
      const shown = isLast ? shortened(text, Math.max(8, left)) : text;
      const columnWidth = widths[column] ?? 0;
      left -= columnWidth + gap.length;
      const padding = isLast ? '' : ' '.repeat(columnWidth - widthOf(shown));
      return `${paint === undefined ? shown : paint(shown)}${padding}`;
    });
    return cells.join(gap).trimEnd();
  });
}

function toCell(cell: Cell | string): Cell {
  return typeof cell === 'string' ? { text: cell } : cell;
}

/** Formats names and values, one pair per line. */
export function fields(pairs: readonly (readonly [string, string])[], paintName: (text: string) => string): string[] {
  const width = widestOf(pairs.map(([name]) => name));
  return pairs.map(([name, value]) => `${paintName(name.padEnd(width))}${gap}${value}`);
}
