// @ts-check
// Puts one mutant of test/seeds/rows.json into the sources while tests load them: HOLDFAST_MUTANT names it. Nothing on the
// disk is changed.
import { resolve } from 'node:path';
import { applyChange, mutantsOf, readRows } from './seed-rows.mjs';

/**
 * The plugin for the mutant of this name; throws when there is none.
 * @param {string} name @param {string} root @returns {import('vite').Plugin}
 */
export function mutantPlugin(name, root) {
  const mutant = mutantsOf(readRows(root)).find((each) => each.name === name)?.mutant;
  if (mutant === undefined) throw new Error(`There is no mutant ${name}`);
  const changes = mutant.changes.map((change) => ({ ...change, path: resolve(root, change.file) }));
  return {
    name: 'holdfast-mutant',
    enforce: 'pre',
    transform(text, id) {
      const here = changes.filter(({ path }) => path === id.split('?')[0]);
      return here.length === 0 ? undefined : { code: here.reduce(applyChange, text), map: null };
    },
  };
}
