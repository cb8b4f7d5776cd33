import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

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

/** Brings the library there as it is now. */
export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-workshop-'));
  const core = join(root, 'packages/core');
  const library = join(folder, 'node_modules/holdfast');
  execFileSync(process.execPath, [join(root, 'scripts/bundle.mjs'), 'core']);
  mkdirSync(library, { recursive: true });
  cpSync(join(core, 'dist'), join(library, 'dist'), {
    recursive: true,
    filter: (name) => !/\.d\.ts|\.map$/.test(name),
  });
  copyFileSync(join(core, 'package.json'), join(library, 'package.json'));
  for (const name of ['zod', '@photostructure', '@standard-schema', 'pg']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
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

function compile(text: string): string {
  return transformSync(text, { loader: 'ts', target: 'node20.19' }).code;
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
