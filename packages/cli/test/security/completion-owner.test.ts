// TAB in a folder that another user prepared opens no store that they chose, and loads no code.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, lchownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Bench, bin, type Done, openBench } from '../bench.ts';

const nobody = 65_534;
const isRoot = process.geteuid?.() === 0;
const notRoot = isRoot ? '' : ' (left out: only root can give a file to another user)';

let bench: Bench;
let count = 0;
/** The user's folder, below the one with the package.json. */
let cwd: string;
let manifest: string;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

// Not a store: opening it fails, so success proves that nothing opened it.
beforeEach(() => {
  count += 1;
  const folder = join(bench.folder, `case-${count}`);
  cwd = join(folder, 'inner');
  mkdirSync(cwd, { recursive: true });
  manifest = join(folder, 'package.json');
  writeFileSync(manifest, JSON.stringify({ holdfast: { store: 'sqlite:no-store.db' } }));
  writeFileSync(join(folder, 'no-store.db'), 'This is no store. '.repeat(1_000));
});

function complete(env: NodeJS.ProcessEnv = {}): Done {
  const options = { cwd, env: { ...bench.env, ...env }, encoding: 'utf8', timeout: 50_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'complete'], options);
  return { code: status, stdout, stderr };
}

const opensNothing = { code: 0, stdout: '', stderr: '' };
const opensIt = { code: 1, stdout: '', stderr: expect.stringContaining('no-store.db') };

describe('holdfast complete', () => {
  test('opens the store that our own package.json names', () => {
    expect(complete()).toEqual(opensIt);
  });

  test.skipIf(!isRoot)(`opens nothing that the package.json of another user names${notRoot}`, () => {
    chownSync(manifest, nobody, nobody);
    expect(complete()).toEqual(opensNothing);
  });

  test.skipIf(!isRoot)(`opens nothing if another user linked to our package.json${notRoot}`, () => {
    renameSync(manifest, join(cwd, 'ours.json'));
    symlinkSync(join(cwd, 'ours.json'), manifest);
    expect(complete()).toEqual(opensIt);
    lchownSync(manifest, nobody, nobody);
    expect(complete()).toEqual(opensNothing);
  });

  test.skipIf(!isRoot)(`opens nothing if another user owns the folder of the package.json${notRoot}`, () => {
    chownSync(dirname(manifest), nobody, nobody);
    expect(complete()).toEqual(opensNothing);
  });

  test.skipIf(!isRoot)(`opens no default store in a folder of another user${notRoot}`, () => {
    writeFileSync(manifest, '{ "name": "a project without settings" }');
    writeFileSync(join(bench.folder, 'package.json'), '{ "name": "another" }');
    mkdirSync(join(cwd, '.holdfast'));
    writeFileSync(join(cwd, '.holdfast/holdfast.db'), 'This is no store. '.repeat(1_000));
    expect(complete()).toMatchObject({ code: 1 });
    chownSync(join(cwd, '.holdfast'), nobody, nobody);
    expect(complete()).toEqual(opensNothing);
  });

  test.skipIf(!isRoot)(`opens the store that the user named, whoever owns the package.json${notRoot}`, () => {
    chownSync(manifest, nobody, nobody);
    expect(complete({ HOLDFAST_STORE: `sqlite:${join(dirname(manifest), 'no-store.db')}` })).toEqual(opensIt);
  });

  const noPipes = process.platform === 'win32' ? ' (left out: there are no named pipes)' : '';
  test.skipIf(noPipes !== '')(`does not wait for a package.json that is a named pipe${noPipes}`, () => {
    execFileSync('mkfifo', [join(cwd, 'package.json')]);
    expect(complete()).toEqual(opensIt);
  });

  test('loads neither the graphs of the project nor its copy of the library', async () => {
    const evil = `import { writeFileSync } from 'node:fs';\nwriteFileSync('${join(cwd, 'pwned')}', '');\n`;
    const library = join(cwd, 'node_modules/holdfast');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'package.json'), '{ "name": "holdfast", "type": "module", "exports": "./index.js" }');
    writeFileSync(join(library, 'index.js'), evil);
    writeFileSync(join(cwd, 'graphs.ts'), evil);
    const store = `sqlite:${join(bench.folder, '.holdfast/holdfast.db')}`;
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ holdfast: { store, graphs: ['graphs.ts'] } }));
    const started = await bench.run(['submit', 'mailbox', '--id', 'ordinary', '--store', store, '-g', 'graphs.ts']);
    expect(started).toMatchObject({ code: 0 });
    expect(complete()).toEqual({ code: 0, stdout: 'ordinary\n', stderr: '' });
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });
});
