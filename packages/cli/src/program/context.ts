import type { Outline } from '../completion/outline.ts';
import type { Output } from '../output/output.ts';
import type { Project } from '../project/project.ts';
import type { Paste } from './paste.ts';

/** The first argument of every command. */
export interface Context {
  readonly out: Output;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** `--store` and `--graphs`, or their defaults. */
  readonly project: Project;
  /** Writes a command for a hint, so that it works when it is pasted. */
  readonly paste: Paste;
  /** `--yes`: never ask for input. */
  readonly yes: boolean;
  /** Whether we may prompt: stdin and stdout are a terminal, and the output is for people. */
  readonly canAsk: boolean;
  /** The commands, for the completion. */
  readonly outline: Outline;
}

/** The parsed options of every command. */
export interface GlobalOptions {
  readonly store?: string;
  readonly graphs?: readonly string[];
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly yes?: boolean;
  readonly debug?: boolean;
}
