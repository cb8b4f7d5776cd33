import type { Outline } from '../completion/outline.ts';
import type { Output } from '../output/output.ts';
import type { Project } from '../project/project.ts';

/** What every command is called with. */
export interface Context {
  readonly out: Output;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** `--store`, `--graphs` and what stands for them when they are left out. */
  readonly project: Project;
  /** `--yes`: nothing is asked. */
  readonly yes: boolean;
  /** Whether a person can be asked: both ends are a terminal, and a person reads. */
  readonly canAsk: boolean;
  /** What commands there are, for the completion. */
  readonly outline: Outline;
}

/** The options that every command has. */
export interface GlobalOptions {
  readonly store?: string;
  readonly graphs?: readonly string[];
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly yes?: boolean;
  readonly debug?: boolean;
}
