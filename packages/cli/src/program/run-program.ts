import { type Argument, Command, CommanderError, Option } from 'commander';
import { CliError } from '../failure/cli-error.ts';
import type { ExitCode } from '../failure/exit-code.ts';
import { tellFailure } from '../failure/tell-failure.ts';
import { type Mode, Output } from '../output/output.ts';
import { paletteOf, wantsColor } from '../output/palette.ts';
import { widestOf } from '../output/printable.ts';
import { terminalText } from '../output/style-marks.ts';
import { findProject } from '../project/project.ts';
import type { CommandSpec } from './command-spec.ts';
import { commandGroups, globalOptions, publicCommands } from './commands.ts';
import type { Context, GlobalOptions } from './context.ts';
import { version } from './own-package.ts';
import { pasteFor } from './paste.ts';
import { tellWarnings } from './tell-warnings.ts';

/** Runs one command line and returns its exit code. */
export async function runProgram(argv: readonly string[]): Promise<ExitCode> {
  // A reader that closes the pipe (`holdfast runs | head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`holdfast: The output could not be written: ${error.message}\n`);
    process.exit(1);
  });
  // Nothing is left to say where nobody reads it, and a worker continues.
  process.stderr.on('error', () => undefined);
  tellWarnings((text) => process.stderr.write(text));
  let exitCode: ExitCode = 0;
  let options: GlobalOptions = {};
  const program = buildProgram(async (spec, command) => {
    options = command.optsWithGlobals();
    const run = await spec.load();
    exitCode = (await run(contextOf(options), command.args, command.opts())) ?? 0;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed it.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return tellFailure(outputOf(options), error, { debug: options.debug === true });
  }
}

/** Wider lines are hard to read. */
const helpColumns = 80;

type Act = (spec: CommandSpec, command: Command) => Promise<void>;

/** Declares the commands to commander; `act` runs the one that was called. */
function buildProgram(act: Act): Command {
  const program = new Command('holdfast')
    .description('Durable agents and workflows that never forget a step.')
    .version(version(), '-V, --version', 'Show the version.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help [command]', 'Show the help of a command.')
    .showSuggestionAfterError()
    .commandsGroup('Get started:')
    .exitOverride()
    .configureHelp({
      styleTitle: titles(process.stdout.isTTY),
      helpWidth: Math.min(helpColumns, process.stdout.columns ?? helpColumns),
      minWidthToWrap: 20,
      // The help of the command lists its options.
      subcommandTerm: (command) => command.name() + command.registeredArguments.map(argumentTerm).join(''),
    })
    .configureOutput({
      writeOut: (text) => process.stdout.write(terminalText(text)),
      writeErr: (text) => process.stderr.write(terminalText(text)),
      outputError: (text, write) => write(text.replace(/^error: /u, 'holdfast: ')),
    });
  addOptions(program, globalOptions);
  program.addHelpText(
    'after',
    '\nExamples:\n  holdfast demo            kill a run and watch it recover\n  holdfast runs            list runs\n  holdfast help answer     show the help of one command\n',
  );
  for (const { title, commands } of commandGroups) {
    for (const spec of commands) addCommand(program, spec, act).helpGroup(title);
  }
  return program;
}

function addCommand(program: Command, spec: CommandSpec, act: Act): Command {
  const command = program.command(spec.name, { hidden: spec.hidden === true }).summary(spec.summary);
  command.description([spec.summary, ...(spec.details === undefined ? [] : [spec.details])].join('\n\n'));
  for (const [syntax, help] of spec.args ?? []) command.argument(syntax, help);
  addOptions(command, spec.options ?? []);
  const examples = spec.examples.length === 0 ? '' : `\nExamples:\n${exampleLines(spec.examples).join('\n')}\n`;
  command.addHelpText('after', `${examples}\nSee holdfast --help for the options of every command.\n`);
  return command.action(() => act(spec, command));
}

/** What an example does is next to it, or below it where that would be too wide. */
function exampleLines(examples: CommandSpec['examples']): readonly string[] {
  const width = widestOf(examples.map(([line]) => line));
  const lines = examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`.trimEnd());
  if (widestOf(lines) <= helpColumns) return lines;
  return examples.flatMap(([line, what]) => [`  ${line}`, ...(what === '' ? [] : [`      ${what}`])]);
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? ` <${name}>` : ` [${name}]`;
}

function addOptions(command: Command, options: CommandSpec['options'] = []): void {
  for (const { flags, help, otherwise, many } of options) {
    const option = new Option(flags, otherwise === undefined ? help : `${help} Default: ${otherwise}.`);
    if (many === true) option.argParser((value: string, all: readonly string[] | undefined) => [...(all ?? []), value]);
    command.addOption(option);
  }
}

function titles(isTerminal: boolean): (text: string) => string {
  return paletteOf(wantsColor(isTerminal, process.env)).bold;
}

function outputOf({ json, jsonl }: GlobalOptions): Output {
  const mode: Mode = json === true ? 'json' : jsonl === true ? 'jsonl' : 'human';
  return new Output({ mode, env: process.env, stdout: process.stdout, stderr: process.stderr });
}

function contextOf(options: GlobalOptions): Context {
  if (options.json === true && options.jsonl === true) {
    throw CliError.usage('Pass --json for one object or --jsonl for a stream, not both.');
  }
  const out = outputOf(options);
  const { env } = process;
  const cwd = process.cwd();
  return {
    out,
    cwd,
    env,
    project: findProject({ cwd, env, options, onUse: (what) => options.debug === true && out.note(`debug: ${what}`) }),
    paste: pasteFor({ env, program: process.argv[1] ?? '', options }),
    yes: options.yes === true,
    outline: { commands: publicCommands(), options: globalOptions },
    canAsk: options.yes !== true && out.isTerminal && process.stdin.isTTY,
  };
}
