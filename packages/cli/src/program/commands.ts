import type { CommandGroup, CommandSpec, OptionSpec } from './command-spec.ts';
import { beginCommands } from './specs/begin.ts';
import { changeCommands } from './specs/change.ts';
import { executeCommands } from './specs/execute.ts';
import { lookCommands } from './specs/look.ts';
import { storeCommands } from './specs/store.ts';

/** What every command takes. */
export const globalOptions: readonly OptionSpec[] = [
  {
    flags: '--store <url>',
    help: 'Where the runs are: sqlite:FILE or file:DIR. Also HOLDFAST_STORE.',
    otherwise: 'sqlite:.holdfast/holdfast.db',
  },
  {
    flags: '-g, --graphs <file>',
    help: 'A file that exports graphs, in TypeScript or JavaScript; may be repeated. Also HOLDFAST_GRAPHS.',
    many: true,
  },
  { flags: '--json', help: 'One JSON object with a "schema" field on stdout.' },
  { flags: '--jsonl', help: 'A JSON object a line, each with a "schema" field.' },
  { flags: '-y, --yes', help: 'Asks nothing.' },
  { flags: '--debug', help: 'Shows the stack of an error.' },
];

/** All commands, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Begin:', commands: beginCommands },
  { title: 'Execute runs:', commands: executeCommands },
  { title: 'Look at runs:', commands: lookCommands },
  { title: 'Change runs:', commands: changeCommands },
  { title: 'Keep the store:', commands: storeCommands },
];

/** All commands that people call. */
export function publicCommands(): readonly CommandSpec[] {
  return commandGroups.flatMap(({ commands }) => commands).filter(({ hidden }) => hidden !== true);
}
