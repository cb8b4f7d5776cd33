import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What the gate reads besides sources: copied as it is, so that the tests try the real rules. */
const configuration = [
  '.dependency-cruiser.mjs',
  '.gitignore',
  '.npmrc',
  '.oxlintrc.json',
  'benchmarks/tsconfig.json',
  'examples/tsconfig.json',
  'package.json',
  'package-lock.json',
  'packages/cli/package.json',
  'packages/cli/tsconfig.json',
  'packages/core/package.json',
  'packages/core/test/faults/tsconfig.json',
  'packages/core/test/sim/tsconfig.json',
  'packages/core/tsconfig.json',
  'packages/server/package.json',
  'packages/server/tsconfig.json',
  'packages/studio/package.json',
  'packages/studio/tsconfig.json',
  'scripts',
  'test/fixed-seed.ts',
  'test/tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'typedoc.json',
  'vitest.config.ts',
];

/** A small core that every step of the gate accepts. */
const cleanSources: Readonly<Record<string, string>> = {
  'errors/fault.ts': '/** A fault. */\nexport class Fault extends Error {}\n',
  'value/name.ts':
    "import { Fault } from '../errors/fault.ts';\n\n/** Names it. */\nexport function nameOf(value: string): string {\n  if (value === '') throw new Fault('empty');\n  return value;\n}\n",
  'value/name.test.ts':
    "import { expect, test } from 'vitest';\nimport { suite } from '../testing/index.ts';\nimport { nameOf } from './name.ts';\n\ntest('names', () => {\n  suite();\n  expect(nameOf('a')).toBe('a');\n  expect(() => nameOf('')).toThrow('empty');\n});\n",
  'store/contract/driver.ts': '/** A driver. */\nexport interface Driver {\n  readonly name: string;\n}\n',
  'store/memory/open.ts':
    "import { nameOf } from '../../value/name.ts';\nimport type { Driver } from '../contract/driver.ts';\n\n/** In memory. */\nexport const memory: Driver = { name: nameOf('memory') };\n",
  'store/memory/memory-store.test.ts':
    "import { expect, test } from 'vitest';\nimport { memory } from './open.ts';\n\ntest('has a name', () => {\n  expect(memory.name).toBe('memory');\n});\n",
  'store/index.ts': "export type { Driver } from './contract/driver.ts';\nexport { memory } from './memory/open.ts';\n",
  'store/file/index.ts': '/** A directory. */\nexport type Directory = string;\n',
  'store/sqlite/index.ts': '/** A file. */\nexport type File = string;\n',
  'store/postgres/index.ts': '/** A server. */\nexport type Server = string;\n',
  'index.ts': "export { Fault } from './errors/fault.ts';\nexport { nameOf } from './value/name.ts';\n",
  'testing/index.ts':
    "import type { Arbitrary } from 'fast-check';\nimport { nameOf } from '../value/name.ts';\n\n/** Names. */\nexport type Names = Arbitrary<string>;\n\n/** Runs. */\nexport function suite(): string {\n  return nameOf('suite');\n}\n",
};

/** What a command of the gate did. */
export interface Verdict {
  readonly passed: boolean;
  readonly output: string;
}

/** A copy of the workspace with a small core, to break on purpose. */
export class Workspace {
  readonly path: string = mkdtempSync(join(tmpdir(), 'holdfast-gate-'));

  constructor() {
    for (const file of configuration) cpSync(join(root, file), join(this.path, file), { recursive: true });
    const folders = ['examples', 'benchmarks', 'packages/cli', 'packages/server', 'packages/studio'];
    for (const folder of folders.map((each) => `${each}/src`)) mkdirSync(join(this.path, folder), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'));
    // The small core has no store that needs a server.
    this.write('test/postgres-server.ts', 'export function setup(): void {}\n');
    this.writeSources(cleanSources);
  }

  /** Writes a file by its path from the root of the copy. */
  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  /** Writes files by their paths from the sources of core. */
  writeSources(sources: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(sources)) this.write(`packages/core/src/${file}`, text);
  }

  /** Runs one step of `npm run check`. */
  check(step: string): Promise<Verdict> {
    return this.run(process.execPath, ['scripts/check.mjs', '--only', step]);
  }

  run(command: string, args: readonly string[]): Promise<Verdict> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(?:VITEST|NODE_|TEST$|CI$|FORCE_COLOR$|GITHUB_ACTIONS$)/.test(name),
      ),
    );
    const child = spawn(command, args, { cwd: this.path, env: { ...env, NO_COLOR: '1' } });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ passed: code === 0, output }));
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
