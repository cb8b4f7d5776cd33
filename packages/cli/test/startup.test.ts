import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

function elapsedMs(args: readonly string[]): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, args, { cwd: bench.folder, env: bench.env });
  return performance.now() - startedAt;
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

  // On a quiet machine it is 150 ms, which `npm run bench -- startup` measures; here others may be at work.
  test('holdfast --help takes 150 ms, and what a busy machine adds to Node itself', () => {
    // By turns, so that both have the same machine.
    const turns = Array.from({ length: 5 }, () => [elapsedMs(['-e', '0']), elapsedMs([bin, '--help'])] as const);
    const nodeMs = Math.min(...turns.map(([node]) => node));
    expect(Math.min(...turns.map(([, help]) => help))).toBeLessThan(150 + 2 * nodeMs);
  });
});
