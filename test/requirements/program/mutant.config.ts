// Vitest on a product that is broken on purpose: HOLDFAST_MUTANT names the mutant. Nothing on the disk is changed.
// Without a name every seam is there and nothing is replaced: the product works as ever.
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';
import { mutantsOf, table } from '../rows/table.ts';
import { throughSeams } from './through-seams.ts';

const root = join(import.meta.dirname, '../../..');
const name = process.env['HOLDFAST_MUTANT'];
const found = mutantsOf(table).filter((each) => name === undefined || each.name === name);
if (found.length === 0) throw new Error(`There is no mutant ${name}.`);
const broken = [...new Set(found.flatMap(({ mutant }) => mutant.changes.map(({ seam }) => seam)))];

/** Runs after the types are gone. */
const plugin: Plugin = {
  name: 'holdfast-mutant',
  transform(code, id) {
    const file = id.split('?')[0] ?? id;
    const here = broken.filter(({ module }) => join(root, module) === file);
    if (here.length === 0) return undefined;
    const from = relative(dirname(file), join(import.meta.dirname, 'replacement.ts'));
    return { code: throughSeams(code, here, from), map: null };
  },
};

export default mergeConfig(base, { root, plugins: [plugin] });
