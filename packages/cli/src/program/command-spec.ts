import type { ExitCode } from '../failure/exit-code.ts';
import type { Context } from './context.ts';

/** What a command does. O are its own options, as commander names them. */
export type CommandFn<O> = (context: Context, args: readonly string[], options: O) => Promise<ExitCode | undefined>;

/** One option: `--limit <n>` and what it means. */
export interface OptionSpec {
  readonly flags: string;
  readonly help: string;
  /** Said in the help; commands apply it. */
  readonly otherwise?: string | undefined;
  /** May be given several times; the command gets a list. A list behind one flag would swallow the arguments after it. */
  readonly many?: boolean | undefined;
}

/** One command: all that the help, the completion and docs/cli.md say of it. Its code is loaded when it is called. */
export interface CommandSpec {
  readonly name: string;
  /** As commander writes them: `<run>`, `[name]`, `[k=v...]`. */
  readonly args?: readonly (readonly [syntax: string, help: string])[];
  readonly summary: string;
  /** What the summary has no room for. */
  readonly details?: string | undefined;
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Left out of the help: called by other commands. */
  readonly hidden?: boolean | undefined;
  readonly load: () => Promise<CommandFn<never>>;
}

/** Commands that belong together. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}
