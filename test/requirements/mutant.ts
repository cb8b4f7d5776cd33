/**
 * A function of the product that mutants replace: an export, known by its module and its name. Its body may change in
 * any way; a seam that is moved or renamed fails `test/gate/requirements.test.ts`.
 */
export interface Seam<F> {
  /** From the root of the repository. */
  readonly module: string;
  readonly name: string;
  /** Only a type: what the export is. */
  readonly original?: F;
}

/** Puts something else in the place of a seam, made of what is there. */
export interface Change {
  readonly seam: Seam<unknown>;
  readonly replace: (original: unknown) => unknown;
}

/** The stores that the documents are shown on. */
export type StoreName = 'memory' | 'file' | 'sqlite';

/** A break of the product. The tests of its row, on its store, have to notice it. */
export interface Mutant {
  /** What is wrong with the product. */
  readonly breaks: string;
  readonly store: StoreName;
  readonly changes: readonly Change[];
}

/** A row of a requirement document. */
export interface Row {
  readonly document: string;
  readonly name: string;
  /** What the document asks for. */
  readonly asked: string;
  /** What Holdfast has for it. */
  readonly here: string;
  /** In what Holdfast goes beyond the document. */
  readonly better?: string;
  readonly note?: string;
  /** Titles of tests in the files of the document, as they are written there. */
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
}

/** Replaces a seam. */
export function change<F>(seam: Seam<F>, replace: (original: F) => F): Change {
  return { seam, replace: replace as Change['replace'] };
}

/** A mutant that the tests on memory have to catch. */
export function mutant(breaks: string, ...changes: readonly Change[]): Mutant {
  return { breaks, store: 'memory', changes };
}
