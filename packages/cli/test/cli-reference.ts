import type { CommandSpec, OptionSpec } from '../src/program/command-spec.ts';
import { commandGroups, globalOptions } from '../src/program/commands.ts';

/** Generates docs/cli.md from the command definitions. */
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
  'The package `@holdfast/cli` has one program, `holdfast`. This page is generated from its commands:',
  '`npx vitest run packages/cli/test/reference -u` updates it.',
  '',
  '- Data goes to stdout, everything else to stderr.',
  '- `--json` prints one object, `--jsonl` one object per line. Each has a `schema` such as `holdfast.run/1`; the number',
  '  changes when the fields change. Dates and bigints become text, maps become pairs, sets become lists, and bytes become',
  '  base64. Errors are objects too, `holdfast.error/1`, on stderr.',
  '- Name a run by its id, a unique prefix of its id, `@last` (the newest run) or `@last~2`. Name a checkpoint in it with',
  '  `RUN@SEQ`.',
  '- Everything is escaped before it is printed: no data controls the terminal. In JSON, the escapes are those of JSON.',
  '- Commands in hints work when they are pasted: they repeat `--store` and `--graphs`, and begin with `npx` where it is needed.',
  '- No password is printed: in URLs of stores, `***` stands for it. Give a URL with a password by `HOLDFAST_STORE`: other',
  '  users of a machine can list the arguments of its processes.',
  '- Commands ask for input only if stdin and stdout are a terminal, and never with `--yes`.',
  '- Colours are used on terminals only; `NO_COLOR` and `FORCE_COLOR` override this. Times are relative on a terminal and',
  '  exact elsewhere.',
  '',
  '## Finding the store and the code',
  '',
  'The store and the graph files come from `--store` and `--graphs`, else from `HOLDFAST_STORE` and `HOLDFAST_GRAPHS`',
  '(files separated as in `PATH`), else from the `holdfast` field of the nearest `package.json`:',
  '',
  '```json',
  '{ "holdfast": { "store": "sqlite:.holdfast/holdfast.db", "graphs": ["refunds.ts"] } }',
  '```',
  '',
  'Its paths are relative to that file. The default store is `sqlite:.holdfast/holdfast.db` in the current folder. `--debug`',
  'says which store and files are used, and what chose them.',
  '',
  'Settings and code that you did not name on the command line or in the environment are refused if another user could have',
  'written them: if somebody other than you and root owns the file, a link to it or a folder above it, or if every user may',
  'write to one of them (a folder with the sticky bit, such as `/tmp`, is fine).',
  '',
  'Only these commands execute your code: `run`, `dev`, `work` and `recover` execute runs; `submit`, `answer`, `send` and',
  '`fork` validate values with it; `check` and `graph` look at the graphs. They load every graph and workflow that the files',
  'export. TypeScript is compiled without type checking; Node resolves packages as usual.',
  '',
  '## Values',
  '',
  'A value in `name=value` is JSON if it parses as JSON, and text otherwise. Where the graph or the question declares text, it',
  'is text: `order=81` is "81" for `z.string()`. `a.b=1` sets a nested field. All problems of a value are reported at once.',
  '',
  '## Exit codes',
  '',
  '| code | meaning |',
  '|---|---|',
  '| 0 | success; a run that was waited for completed |',
  '| 1 | the run failed or was cancelled; any other error |',
  '| 2 | usage error, or an invalid value |',
  '| 3 | the run is waiting for input, or no worker continues it |',
  '| 4 | the run, checkpoint, question, message, graph or store does not exist |',
  '| 5 | conflict: already answered differently, started with a different input, leased by another process, an ambiguous id, … |',
  '| 130 | interrupted by Ctrl-C (143: by SIGTERM) |',
  '',
  '## Global options',
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
            ['argument', 'description'],
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
    ['option', 'description'],
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
