import { createRequire } from 'node:module';
import type * as nodePty from '@lydell/node-pty';
import { type Bench, bin } from './bench.ts';

type PtyModule = typeof nodePty;

/** The module that creates pseudo-terminals, or why there is none. It has one package per platform. */
export const pty: PtyModule | string = load();

function load(): PtyModule | string {
  try {
    return createRequire(import.meta.url)('@lydell/node-pty') as PtyModule;
  } catch (error) {
    return `@lydell/node-pty has no build for ${process.platform} ${process.arch}: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** A command on a terminal. */
export interface Screen {
  readonly terminal: nodePty.IPty;
  /** Everything that was written to it. */
  readonly text: () => string;
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly ended: Promise<{ readonly exitCode: number; readonly signal?: number | undefined }>;
}

/** Starts a holdfast command on a terminal of 100 by 30. */
export function onTerminal(bench: Bench, args: readonly string[], env: NodeJS.ProcessEnv = {}): Screen {
  return openScreen(bench, { file: process.execPath, args: [bin, ...args], env });
}

interface ScreenOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Starts any program on a terminal of 100 by 30. */
export function openScreen(bench: Bench, { file, args, env }: ScreenOptions): Screen {
  if (typeof pty === 'string') throw new Error(pty);
  const terminal = pty.spawn(file, [...args], {
    cwd: bench.folder,
    cols: 100,
    rows: 30,
    name: 'xterm-256color',
    env: { ...bench.env, TERM: 'xterm-256color', ...env },
  });
  let text = '';
  const listeners = new Set<() => void>();
  terminal.onData((data) => {
    text += data;
    for (const listener of listeners) listener();
  });
  let isOver = false;
  const ended = new Promise<{ exitCode: number; signal?: number | undefined }>((resolve) => {
    terminal.onExit((end) => {
      isOver = true;
      resolve(end);
      for (const listener of listeners) listener();
    });
  });
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text);
        if (found !== null) resolve(found);
        else if (isOver) reject(new Error(`it ended without printing ${pattern}:\n${text}`));
        else return;
        listeners.delete(look);
      };
      listeners.add(look);
      look();
    });
  return { terminal, text: () => text, printed, ended };
}
