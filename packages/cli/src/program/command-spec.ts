import type { ExitCode } from '../failure/exit-code.ts';
import type { Context } from './context.ts';

/** The implementation of a command. O is its options, named as commander names them. */
export type CommandFn<O> = (context: Context, args: readonly string[], options: O) => Promise<ExitCode | undefined>;

/** One option: `--limit <n>` and what it means. */
export interface OptionSpec {
  readonly flags: string;
  readonly help: string;
  /** The default, for the help only: the command applies it. */
  readonly otherwise?: string | undefined;
  /** Repeatable: the command gets a list. A list after one flag would swallow the arguments that follow. */
  readonly many?: boolean | undefined;
}

/** One command, as described in the help, the completion and docs/cli.md. Its code is loaded when it is called. */
export interface CommandSpec {
  readonly name: string;
  /** In commander's syntax: `<run>`, `[name]`, `[k=v...]`. */
  readonly args?: readonly (readonly [syntax: string, help: string])[];
  readonly summary: string;
  /** Further sentences, below the summary. */
  readonly details?: string | undefined;
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Not in the help: called by other commands. */
  readonly hidden?: boolean | undefined;
  readonly load: () => Promise<CommandFn<never>>;
}

/** A heading in the help and its commands. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}
