import type { CommandGroup, CommandSpec, OptionSpec } from './command-spec.ts';
import { beginCommands } from './specs/begin.ts';
import { changeCommands } from './specs/change.ts';
import { executeCommands } from './specs/execute.ts';
import { lookCommands } from './specs/look.ts';
import { storeCommands } from './specs/store.ts';

/** The options of every command. */
export const globalOptions: readonly OptionSpec[] = [
  {
    flags: '--store <url>',
    help: 'The store of the runs: sqlite:FILE, file:DIR or postgres://HOST/DATABASE. Also HOLDFAST_STORE.',
    otherwise: 'sqlite:.holdfast/holdfast.db',
  },
  {
    flags: '-g, --graphs <file>',
    help: 'A TypeScript or JavaScript file that exports graphs. Repeatable. Also HOLDFAST_GRAPHS.',
    many: true,
  },
  { flags: '--json', help: 'Print one JSON object with a "schema" field.' },
  { flags: '--jsonl', help: 'Print one JSON object per line, each with a "schema" field.' },
  { flags: '-y, --yes', help: 'Never ask for input.' },
  { flags: '--debug', help: 'Say which store and files are used, and show the stack trace of an error.' },
];

/** All commands, in the order in which the help lists them. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Get started:', commands: beginCommands },
  { title: 'Execute runs:', commands: executeCommands },
  { title: 'Inspect runs:', commands: lookCommands },
  { title: 'Change runs:', commands: changeCommands },
  { title: 'Maintain the store:', commands: storeCommands },
];

/** All commands that users call. */
export function publicCommands(): readonly CommandSpec[] {
  return commandGroups.flatMap(({ commands }) => commands).filter(({ hidden }) => hidden !== true);
}
