import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { shells } from '../../src/completion/completion-script.ts';
import { type Bench, bin } from '../bench.ts';
import { openScreen, pty } from '../terminal.ts';

type Shell = (typeof shells)[number];

/** Why a shell cannot run here, as a suffix of a test's name; empty if it can. */
export function leftOut(shell: Shell): string {
  if (typeof pty === 'string') return ` (left out: ${pty})`;
  return spawnSync(shell, ['--version']).status === 0 ? '' : ' (left out: it is not installed)';
}

const prompt = 'ready> ';
const startFiles: Readonly<Record<Shell, readonly [file: string, text: string]>> = {
  bash: ['.bashrc', `PS1='${prompt}'; bind 'set show-all-if-ambiguous on'; source "$HOME/holdfast.bash"\n`],
  zsh: [
    '.zshrc',
    `PS1='${prompt}'; autoload -Uz compinit; compinit -u -d "$HOME/.zcompdump"; source "$HOME/holdfast.zsh"\n`,
  ],
  fish: [
    '.config/fish/config.fish',
    `set fish_greeting\nfunction fish_prompt; echo -n '${prompt}'; end\nsource "$HOME/holdfast.fish"\n`,
  ],
};
const shellArgs = { bash: ['--noprofile', '-i'], zsh: ['-d', '-i'], fish: ['-i'] } as const;

/** A home whose start files load the completion scripts, and whose `holdfast` is a given program. */
export async function makeHome(bench: Bench, name: string, program: string): Promise<string> {
  const home = join(bench.folder, name);
  mkdirSync(join(home, 'bin'), { recursive: true });
  mkdirSync(join(home, '.config/fish'), { recursive: true });
  // Otherwise fish fills this folder in the background.
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
  writeFileSync(join(home, 'bin/holdfast'), program);
  chmodSync(join(home, 'bin/holdfast'), 0o755);
  for (const [shell, [file, text]] of Object.entries(startFiles)) {
    const { stdout } = await bench.run(['completion', shell]);
    writeFileSync(join(home, `holdfast.${shell}`), stdout);
    writeFileSync(join(home, file), text);
  }
  return home;
}

/** The program that users call. */
export const realProgram: string = `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`;

/** Types a line into a real shell in the user's project, presses TAB, and waits until it shows all of this. */
export async function pressTab({ bench, shell, home, line, shows }: TabOptions): Promise<string> {
  const path = [join(home, 'bin'), bench.env['PATH']].join(delimiter);
  const env = {
    HOME: home,
    ZDOTDIR: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    PATH: path,
  };
  const { terminal, printed, text, ended } = openScreen(bench, { file: shell, args: shellArgs[shell], env });
  try {
    await printed(new RegExp(prompt, 'u'));
    terminal.write(`${line}\t`);
    for (const pattern of shows) await printed(pattern);
    return text();
  } finally {
    terminal.kill('SIGKILL');
    await ended;
  }
}

interface TabOptions {
  readonly bench: Bench;
  readonly shell: Shell;
  readonly home: string;
  readonly line: string;
  readonly shows: readonly RegExp[];
}
