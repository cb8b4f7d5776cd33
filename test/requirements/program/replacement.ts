// Loaded beside the product by the modules that a mutant breaks (through-seams.ts).
import { mutantsOf, table } from '../rows/table.ts';

const chosen = process.env['HOLDFAST_MUTANT'];
const changes = mutantsOf(table).find(({ name }) => name === chosen)?.mutant.changes ?? [];

/** What the mutant that HOLDFAST_MUTANT names puts in the place of a seam. */
export function replacementOf(module: string, name: string, original: unknown): unknown {
  const here = changes.filter(({ seam }) => seam.module === module && seam.name === name);
  return here.reduce((found, { replace }) => replace(found), original);
}
