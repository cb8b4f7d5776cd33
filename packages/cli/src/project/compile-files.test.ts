import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-compile-')));
  // No process has this number.
  mkdirSync(join(root, 'node_modules/.holdfast/load-4194305-abc'), { recursive: true });
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
    'lib/shared.ts': 'export const shared: object = {};\nexport const where: string = import.meta.url;\n',
    'a.ts': `import { shared, where } from '@lib/shared';
import { sep } from 'node:path';
enum Colour { Red = 'red' }
export { shared, where };
export const here: string = __dirname + sep;
export const colour = Colour.Red;
export const late = async (): Promise<string> => (await import('./late.js')).text;
`,
    'b.ts': "export { shared } from './lib/shared';\n",
    'late.ts': "export const text: string = 'late';\n",
    'bad.ts': "import './late.ts';\nexport const broken: = 1;\n",
  };
  mkdirSync(join(root, 'lib'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
});
afterAll(() => rmSync(root, { recursive: true }));

type Exports = Readonly<Record<string, unknown>> & { readonly late: () => Promise<string> };

describe('compileFiles()', () => {
  test('files know where they stood, share what both import, and load the rest later', async () => {
    const read: string[] = [];
    const { files, folder } = await compileFiles([join(root, 'a.ts'), join(root, 'b.ts')], (file) => read.push(file));
    const [a, b] = (await Promise.all(files.map((file) => import(pathToFileURL(file).href)))) as [Exports, Exports];
    expect(a['shared']).toBe(b['shared']);
    expect(a['where']).toBe(pathToFileURL(join(root, 'lib/shared.ts')).href);
    expect(a['here']).toBe(join(root, '/'));
    expect(a['colour']).toBe('red');
    expect(await a.late()).toBe('late');
    expect(read.map((file) => file.slice(root.length + 1)).toSorted()).toEqual([
      'a.ts',
      'b.ts',
      'late.ts',
      'lib/shared.ts',
    ]);
    expect(folder.startsWith(join(root, 'node_modules/.holdfast/'))).toBe(true);
    expect(existsSync(join(root, 'node_modules/.holdfast/load-4194305-abc'))).toBe(false);
  });

  test('what cannot be compiled is told with its line, and leaves nothing behind', async () => {
    const read: string[] = [];
    const compiling = compileFiles([join(root, 'bad.ts')], (file) => read.push(file));
    await expect(compiling).rejects.toThrow(/^bad\.ts failed to load: .*bad\.ts:2: Unexpected "="$/u);
    expect(read).toContain(join(root, 'bad.ts'));
  });
});
