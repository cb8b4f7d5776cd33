import { completionScript, shells } from '../../completion/completion-script.ts';
import { CliError } from '../../failure/cli-error.ts';
import type { CommandFn } from '../../program/command-spec.ts';

/** `holdfast completion SHELL`. */
export const completion: CommandFn<object> = async ({ out, outline }, [name = '']) => {
  const shell = shells.find((each) => each === name);
  if (shell === undefined)
    throw CliError.usage(`No completion script for "${name}". Supported shells: ${shells.join(', ')}.`);
  out.text(completionScript(shell, outline));
  return 0;
};
