import type { CommandSpec, OptionSpec } from '../src/program/command-spec.ts';
import { commandGroups, globalOptions } from '../src/program/commands.ts';

/** docs/cli.md, from the commands themselves. */
export function cliReference(): string {
  return `${[
    ...intro,
    ...optionTable(globalOptions),
    '',
    ...commandGroups.flatMap(({ title, commands }) => [
      `## ${title.replace(/:$/u, '')}`,
      '',
      ...commands.filter(({ hidden }) => hidden !== true).flatMap(commandSection),
    ]),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

const intro = [
  '# The command line',
  '',
  'The package `@holdfast/cli` has one program, `holdfast`. This page is made from its commands; a test keeps it so',
  '(`npx vitest run packages/cli/test/reference -u` writes it).',
  '',
  '- Data goes to stdout, everything else to stderr.',
  '- `--json` gives one object, `--jsonl` one a line; each has a `schema` such as `holdfast.run/1`, whose number changes',
  '  when its fields do. What JSON lacks is told in its nearest words: dates and bigints as text, maps as pairs, sets as',
  '  lists, bytes as base64. Errors are then an object too, `holdfast.error/1`, on stderr.',
  '- A run is named by its id, by any beginning of it that no other run shares, by `@last` (the newest) or `@last~2`; a',
  '  place in it by `RUN@SEQ`.',
  '- Nothing is asked unless both ends are a terminal; `--yes` asks nothing there either.',
  '- Colours are for terminals; `NO_COLOR` and `FORCE_COLOR` are heeded. Times are relative on a terminal, exact elsewhere.',
  '',
  '## Where runs and code are',
  '',
  '`--store` and `--graphs`, else `HOLDFAST_STORE` and `HOLDFAST_GRAPHS` (files separated as in `PATH`), else the nearest',
  '`package.json` that has',
  '',
  '```json',
  '{ "holdfast": { "store": "sqlite:.holdfast/holdfast.db", "graphs": ["refunds.ts"] } }',
  '```',
  '',
  'with paths from there; else the store is `sqlite:.holdfast/holdfast.db` here. Commands that execute runs need the code:',
  'every graph and workflow that the files export. `answer`, `send` and `fork` use it, where it is named, to validate at',
  'once. TypeScript is compiled as it is loaded, types are not checked; packages are loaded as Node finds them.',
  '',
  '## Exit codes',
  '',
  '| code | means |',
  '|---|---|',
  '| 0 | it is done; of a run: completed |',
  '| 1 | the run failed or was cancelled; any other failure |',
  '| 2 | the command is not written as it has to be, or a value is not valid |',
  '| 3 | the run waits for somebody |',
  '| 4 | there is no such run, place, question, message, graph or store |',
  '| 5 | conflict: answered otherwise, another input, held by another process, several runs of that name, … |',
  '| 130 | interrupted by Ctrl-C (143: ended by SIGTERM) |',
  '',
  '## Options of every command',
  '',
];

function commandSection(spec: CommandSpec): readonly string[] {
  const { name, args = [], summary, details, options = [], examples } = spec;
  const usage = ['holdfast', name, ...args.map(([syntax]) => syntax), ...(options.length > 0 ? ['[options]'] : [])];
  return [
    `### ${name}`,
    '',
    `\`${usage.join(' ')}\``,
    '',
    summary,
    ...(details === undefined ? [] : ['', details]),
    '',
    ...(args.length === 0
      ? []
      : [
          ...table(
            ['argument', 'is'],
            args.map(([syntax, help]) => [code(syntax), help]),
          ),
          '',
        ]),
    ...(options.length === 0 ? [] : [...optionTable(options), '']),
    ...(examples.length === 0 ? [] : ['```sh', ...examples.map(exampleLine), '```', '']),
  ];
}

function exampleLine([line, what]: readonly [string, string]): string {
  return what === '' ? line : `${line}  # ${what}`;
}

function optionTable(options: readonly OptionSpec[]): readonly string[] {
  return table(
    ['option', 'does'],
    options.map(({ flags, help, otherwise }) => [
      code(flags),
      otherwise === undefined ? help : `${help} Default: ${code(otherwise)}.`,
    ]),
  );
}

function code(text: string): string {
  return `\`${text}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(row)];
}
