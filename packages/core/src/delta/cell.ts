import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { Vector } from './vector.ts';

declare const plain: unique symbol;

/** A frozen value. Opaque, so that nobody forgets `readCell`. */
interface Plain {
  readonly [plain]: true;
}

/** The value of a channel inside a fold: a growing list, any other frozen value, or none. */
export type Cell = Vector | Plain | undefined;

/** The cell of a value. Undefined is the cell without a value. */
export function cellOf(value: unknown): Cell {
  return frozenCopy(value) as Plain | undefined;
}

/** The value of a cell; undefined if it has none. */
export function readCell(cell: Cell): unknown {
  return cell instanceof Vector ? cell.toArray() : cell;
}

/** The list in a cell as a vector; undefined if it is not a list. */
export function vectorOf(cell: Cell): Vector | undefined {
  if (cell instanceof Vector) return cell;
  return Array.isArray(cell) ? Vector.of(cell) : undefined;
}

/** The state of a run: the cells of its channels. A channel that lost its value is kept as undefined. */
export type FoldState = ReadonlyMap<string, Cell>;
