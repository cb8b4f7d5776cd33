import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Verdict, Workspace } from './workspace.ts';

const core = 'packages/core/src';

/** Each breaks one rule: the file, its text, and the rule that must name it. */
const breaks = [
  ['value imports store', 'value/a.ts', "export type { Driver } from '../store/contract/driver.ts';\n", 'layer-value'],
  [
    'history imports store',
    'history/b.ts',
    "export type { Driver } from '../store/contract/driver.ts';\n",
    'layer-history',
  ],
  ['graph imports store', 'graph/c.ts', "export type { Driver } from '../store/contract/driver.ts';\n", 'layer-graph'],
  ['a store imports another', 'store/file/d.ts', "export { memory } from '../memory/open.ts';\n", 'layer-store/file'],
  ['store imports one of the stores', 'store/e.ts', "export { memory } from './memory/open.ts';\n", 'layer-store'],
  ['journal imports runner', 'journal/f.ts', "export { g } from '../runner/g.ts';\n", 'layer-journal'],
  [
    'the contract imports value',
    'store/contract/aa.ts',
    "export { nameOf } from '../../value/name.ts';\n",
    'layer-store/contract',
  ],
  ['planning imports env', 'runner/plan/ab.ts', "export { now } from '../../env/now.ts';\n", 'layer-runner/plan'],
  ['folding imports journal', 'runner/fold/ac.ts', "export { f } from '../../journal/f.ts';\n", 'layer-runner/fold'],
  [
    'a command imports transfer',
    'engine/command/ad.ts',
    "export { move } from '../transfer/move.ts';\n",
    'layer-engine/command',
  ],
  [
    'a query imports a worker',
    'engine/query/ae.ts',
    "export type { Worker } from '../lease/worker.ts';\n",
    'queries-never-execute',
  ],
  ['engine imports testing', 'engine/h.ts', "export { suite } from '../testing/index.ts';\n", 'layer-engine'],
  ['the index imports testing', 'index.ts', "export { suite } from './testing/index.ts';\n", 'layer-index.ts'],
  ['a folder that is no layer', 'utils/i.ts', "export { nameOf } from '../value/name.ts';\n", 'not-a-layer'],
  ['a cycle', 'channel/j.ts', "export { k } from './k.ts';\nexport const j = 1;\n", 'no-cycle'],
  [
    'a module of Node outside the seam',
    'channel/l.ts',
    "export { readFile } from 'node:fs';\n",
    'node-modules-of-channel',
  ],
  [
    'a module of Node the codec has no use for',
    'value/m.ts',
    "export { connect } from 'node:net';\n",
    'node-modules-of-value',
  ],
  ['a package at run time', 'value/n.ts', "export { z } from 'zod';\n", 'no-runtime-dependency'],
  [
    'a package loaded for its types',
    'value/o.ts',
    "import { type StandardSchemaV1 } from '@standard-schema/spec';\nexport type O = StandardSchemaV1;\n",
    'no-runtime-dependency',
  ],
  ['a package loaded later', 'value/p.ts', "export const p = import('fast-check');\n", 'no-runtime-dependency'],
  ['types of another package', 'value/q.ts', "export type { ZodType } from 'zod';\n", 'no-other-type-package'],
  ['a source that imports a test', 'value/r.ts', "import './name.test.ts';\n", 'no-import-of-a-test'],
] as const;

describe('layers', () => {
  const workspace = new Workspace();
  let clean: Verdict;
  let broken: Verdict;

  beforeAll(async () => {
    workspace.writeSources({
      'runner/g.ts': 'export const g = 1;\n',
      'env/now.ts': 'export const now = 1;\n',
      'engine/transfer/move.ts': 'export const move = 1;\n',
      'engine/lease/worker.ts': 'export interface Worker {\n  readonly id: string;\n}\n',
      'value/schema.ts': "export type { StandardSchemaV1 } from '@standard-schema/spec';\n",
      'value/hash.ts': "export { createHash } from 'node:crypto';\n",
    });
    clean = await workspace.check('layers');
    workspace.writeSources({ 'channel/k.ts': "export { j } from './j.ts';\nexport const k = 1;\n" });
    workspace.writeSources(Object.fromEntries(breaks.map(([, file, text]) => [file, text])));
    workspace.write('examples/src/s.ts', "export { nameOf } from '../../packages/core/src/value/name.ts';\n");
    workspace.write('packages/cli/src/t.ts', "export { z } from 'zod';\nexport { test } from 'fast-check';\n");
    workspace.write('packages/cli/src/u.ts', "export { nameOf } from '../../core/src/value/name.ts';\n");
    broken = await workspace.check('layers');
  });
  afterAll(() => workspace.remove());

  test('pass on the unbroken copy', () => {
    expect(clean).toMatchObject({ passed: true });
  });

  test('fail on the broken one', () => {
    expect(broken.passed).toBe(false);
    expect(broken.output).toContain('FAILED layers');
  });

  test.each(breaks)('refuse: %s', (_fault, file, _text, rule) => {
    expect(broken.output).toContain(`error ${rule}: ${core}/${file} →`);
  });

  test.each([
    ['a package that only some commands need', 'cli-loads-zod', 't.ts'],
    ['a package that is not in the table', 'no-other-package-in-cli', 't.ts'],
    ['a way into core', 'public-exports-only', 'u.ts'],
  ])('refuse in the command line: %s', (_fault, rule, file) => {
    expect(broken.output).toContain(`error ${rule}: packages/cli/src/${file} →`);
  });

  test('refuse: an example that reaches into core', () => {
    expect(broken.output).toContain('error public-exports-only: examples/src/s.ts →');
  });
});
