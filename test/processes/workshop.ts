import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const compilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  rewriteRelativeImportExtensions: true,
};

/** A folder outside the repository in which plain Node of any version runs programs that import `holdfast`. */
export interface Workshop {
  readonly folder: string;
  /** Runs a TypeScript program. */
  readonly run: (program: { readonly code: string; readonly args?: readonly string[] }) => Program;
  readonly close: () => void;
}

/** A process under test. */
interface Program {
  readonly child: ChildProcess;
  /** Resolves as soon as it has printed such a line. */
  readonly printed: (line: string) => Promise<void>;
  /** All that it printed so far. */
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Brings the library there as it is now: the tests need no build, but are quicker with one. */
export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-workshop-'));
  const core = join(root, 'packages/core');
  const library = join(folder, 'node_modules/holdfast');
  for (const name of readdirSync(join(core, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || /^testing.mutant/.test(name)) continue;
    const built = name.replace(/ts$/, 'js');
    write(join(library, 'dist', built), textOf(join(core, 'src', name), join(core, 'dist', built)));
  }
  copyFileSync(join(core, 'package.json'), join(library, 'package.json'));
  for (const name of ['zod', '@photostructure', '@standard-schema']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  }
  write(join(folder, 'package.json'), '{"type":"module"}');
  let count = 0;
  return {
    folder,
    run: ({ code, args = [] }) => {
      count += 1;
      const file = join(folder, `program-${count}.js`);
      writeFileSync(file, compile(code));
      return watch(spawn(process.execPath, [file, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What the build made of a file, where it is not older; otherwise it is compiled here. */
function textOf(source: string, built: string): string {
  const { mtimeMs } = statSync(source);
  const builtMs = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return builtMs >= mtimeMs ? readFileSync(built, 'utf8') : compile(readFileSync(source, 'utf8'));
}

function compile(text: string): string {
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function watch(child: ChildProcess): Program {
  const lines: string[] = [];
  const warnings: string[] = [];
  const waiting = new Map<string, () => void>();
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  if (child.stdout === null || child.stderr === null) throw new Error('the program has no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    waiting.get(line)?.();
  });
  createInterface({ input: child.stderr }).on('line', (line) => warnings.push(line));
  const printed = async (line: string): Promise<void> => {
    if (lines.includes(line)) return;
    const found = new Promise<void>((resolve) => waiting.set(line, resolve));
    const over = ended.then(() => {
      if (lines.includes(line)) return;
      throw new Error(`the program ended without printing ${line}:\n${[...lines, ...warnings].join('\n')}`);
    });
    await Promise.race([found, over]);
  };
  return { child, printed, lines, warnings, ended };
}
