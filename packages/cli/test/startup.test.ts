import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, bin, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

/** The files that Node loads for a command line. */
function loadedBy(args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-loaded-'));
  try {
    const env = { ...bench.env, NODE_V8_COVERAGE: folder };
    spawnSync(process.execPath, [bin, ...args], { cwd: bench.folder, env });
    return readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('starting', () => {
  test('the help loads neither the library nor a command', () => {
    const files = loadedBy(['--help']);
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThan(40);
    expect(files.filter((file) => /packages\/core|esbuild|@clack|cli\/dist\/command\//u.test(file))).toEqual([]);
  });

  test('reading loads neither a compiler nor prompts nor schemas', () => {
    const files = loadedBy(['runs']);
    expect(files.filter((file) => /esbuild|@clack|node_modules\/zod/u.test(file))).toEqual([]);
  });

  // `npm run bench -- startup` measures the time, in times of what Node itself takes.
  test('the help loads less than 300 kB', () => {
    const bytes = loadedBy(['--help']).map((file) => statSync(fileURLToPath(file)).size);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(300_000);
  });
});
