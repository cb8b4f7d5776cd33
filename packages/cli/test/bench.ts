import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The binary that users call. */
export const bin: string = join(root, 'packages/cli/bin/holdfast.js');

/** What a command did. */
export interface Done {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command in flight. */
interface Started {
  readonly child: ChildProcess;
  /** Resolves when this was printed on either stream. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly done: Promise<Done & { readonly signal: NodeJS.Signals | null }>;
}

/** A user's project outside the repository, with the real binary. */
export interface Bench {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: (
    args: readonly string[],
    options?: { readonly env?: NodeJS.ProcessEnv; readonly input?: string; readonly cwd?: string },
  ) => Promise<Done>;
  readonly start: (args: readonly string[]) => Started;
  readonly close: () => void;
}

/** Builds the packages, and creates a project with the graphs of `fixtures/graphs.ts`, and `greeting.ts` beside them. */
export function openBench(): Bench {
  execFileSync(process.execPath, ['scripts/bundle.mjs'], { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'packages/core'), join(folder, 'node_modules/holdfast'), 'dir');
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'), 'dir');
  const fixtures = join(import.meta.dirname, 'fixtures');
  // Import without the extension, as many people write it.
  const graphs = readFileSync(join(fixtures, 'graphs.ts'), 'utf8').replace('./ledger.ts', './ledger');
  writeFileSync(join(folder, 'graphs.ts'), graphs);
  for (const file of ['ledger.ts', 'greeting.ts']) copyFileSync(join(fixtures, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', holdfast: { graphs: ['graphs.ts'] } }));
  const env = cleanEnv();
  const children = new Set<ChildProcess>();
  const start = (args: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = folder): Started => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, env: { ...env, ...more } });
    children.add(child);
    child.once('close', () => children.delete(child));
    return watch(child);
  };
  return {
    folder,
    env,
    start: (args) => start(args),
    run: async (args, { env: more = {}, input = '', cwd } = {}) => {
      const { child, done } = start(args, more, cwd);
      child.stdin?.end(input);
      const { code, stdout, stderr } = await done;
      return { code, stdout, stderr };
    },
    close: () => {
      // Left over from a failed test.
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The environment without the test runner's variables. */
function cleanEnv(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_|TEST$|CI$|FORCE_COLOR$|NO_COLOR$|HOLDFAST_|npm_)/u.test(name),
  );
  return Object.fromEntries(entries);
}

function watch(child: ChildProcess): Started {
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const hear = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    hear();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    hear();
  });
  const done = new Promise<Done & { signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(stdout + stderr);
        if (found === null) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      void done.then(() => {
        look();
        reject(new Error(`it ended without printing ${pattern}:\n${stdout}${stderr}`));
      });
      look();
    });
  return { child, printed, done };
}
