import * as fc from 'fast-check';
import type { CommandSpec } from '../../src/program/command-spec.ts';
import { hostileText } from '../security/hostile-text.ts';
import { runIds } from './hostile-project.ts';

/** A command line, and whether it is typed into a terminal. */
export interface CommandLine {
  readonly argv: readonly string[];
  readonly isTerminal: boolean;
}

/** They go on until they are ended (`long` has those), start programs, or write where they are told to. */
const leftOut: ReadonlySet<string> = new Set([
  'demo',
  'dev',
  'work',
  'serve',
  'studio',
  'watch',
  'init',
  'run',
  'recover',
]);

/** Values of these are paths: nothing hostile is written to, and no code is loaded. */
const paths: ReadonlySet<string> = new Set(['--store', '--graphs', '-g', '--output', '-o']);

/** Nothing that names a place outside of the project. */
const word: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...runIds),
  fc.constantFrom(
    '@last',
    '@last~1',
    '@last~99999999999999999999',
    'open@2',
    'open@0',
    'done@99',
    'd',
    '@',
    '~',
    '',
    '-',
    '--',
  ),
  fc.constantFrom('sqlite:.holdfast/holdfast.db', 'sqlite:copy.db', 'file:copy', 'copy.db', 'memory:'),
  fc.constantFrom('status:waiting', 'status:x', 'age>1h', 'age<', 'tag:one', 'tag:a=b', 'graph:inbox', 'node:approve'),
  fc.constantFrom(
    '0',
    '-1',
    '1',
    '1e9',
    '9007199254740993',
    'NaN',
    '30d',
    '1x',
    'a=1',
    'a={',
    '{}',
    '[',
    'null',
    '"x"',
  ),
  hostileText.map((text) => text.replaceAll(/[/\\\0]/gu, '')),
);

/** The flags of a command with values that it may not expect. */
function optionOf(flags: string): fc.Arbitrary<readonly string[]> {
  const [flag = '', value] = flags.split(/,? /u).filter((part) => part.startsWith('--') || part.startsWith('<'));
  if (value === undefined) return fc.constant([flag]);
  if (paths.has(flag)) return fc.constantFrom([flag, 'file.jsonl'], [flag]);
  return fc.oneof(
    word.map((each) => [flag, each]),
    word.map((each) => [`${flag}=${each}`]),
  );
}

const globals = fc.subarray(['--json', '--jsonl', '--yes', '-y', '--wat'], { maxLength: 2 });

/** Any command with any arguments and options. */
export function commandLine(commands: readonly CommandSpec[]): fc.Arbitrary<CommandLine> {
  const called = commands.filter(({ name }) => !leftOut.has(name));
  return fc.constantFrom(...called).chain((spec) => {
    const options = (spec.options ?? [])
      .filter(({ flags }) => !flags.includes('--wait'))
      .map(({ flags }) => optionOf(flags));
    const option = options.length === 0 ? fc.constant([]) : fc.oneof(...options);
    return fc
      .record({
        name: fc.oneof({ weight: 19, arbitrary: fc.constant(spec.name) }, { weight: 1, arbitrary: word }),
        args: fc.array(word, { maxLength: 4 }),
        options: fc.array(option, { maxLength: 3 }),
        globals,
        isTerminal: fc.boolean(),
      })
      .filter(({ name }) => !leftOut.has(name) && !name.startsWith('-'))
      .map(({ name, args, options: given, globals: more, isTerminal }) => ({
        argv: [name, '--debug', ...args, ...given.flat(), ...more],
        isTerminal,
      }));
  });
}

/** Commands that show what is in a store. */
const looking: readonly (readonly string[])[] = [
  ['runs'],
  ['runs', '--limit', '0'],
  ['asks'],
  ['verify'],
  ['check'],
  ['complete'],
  ['doctor'],
  ['prune', '--keep', '1'],
  ['diff', 'done@1', '@3'],
  ['diff', 'done', 'forked'],
  ['log', 'done', '--graph'],
  ...runIds.flatMap((run) => [
    ['show', run],
    ['log', run],
    ['state', run],
    ['journal', run],
    ['asks', run],
  ]),
];

/** One of those, for people and for programs. */
export const lookingLine: fc.Arbitrary<CommandLine> = fc
  .record({
    line: fc.constantFrom(...looking),
    mode: fc.constantFrom([], ['--json'], ['--jsonl']),
    isTerminal: fc.boolean(),
  })
  .map(({ line, mode, isTerminal }) => ({ argv: [...line, '--debug', ...mode], isTerminal }));

/** Commands that may go on until they are ended: they wait for runs that nobody executes, or work. */
export function longLine(commands: readonly CommandSpec[]): fc.Arbitrary<CommandLine> {
  const waiting = commands
    .filter(({ name, options = [] }) => !leftOut.has(name) && options.some(({ flags }) => flags.includes('--wait')))
    .map(({ name }) => fc.tuple(fc.array(word, { maxLength: 3 })).map(([args]) => [name, ...args, '--wait']));
  const answer = word.map((text) => ['answer', 'open', 'approval', '--value', JSON.stringify({ a: text }), '--wait']);
  const watched = fc.oneof(
    fc.constantFrom(...runIds).map((run) => [run]),
    fc.array(word, { maxLength: 3 }),
  );
  // Without it, a run that waits for somebody is shown, and that is all.
  const untilEnd = fc.constantFrom([], ['--until-end'], ['--until-end']);
  const watch = fc.tuple(watched, untilEnd).map(([args, until]) => ['watch', ...args, ...until]);
  // Without code, which this project has none of, these say so: whatever else they are told.
  const work = fc
    .tuple(fc.constantFrom('work', 'recover'), fc.subarray(['--concurrency', '--drain', '--json']), word)
    .map(([name, flags, text]) => [name, ...flags, text]);
  const serve = fc
    .tuple(fc.constantFrom('serve', 'studio'), fc.constantFrom([], ['--redact'], ['--host', '127.0.0.1']), word)
    .map(([name, flags, text]) => [name, '--port', '0', ...flags, ...(flags[0] === '--redact' ? [text] : [])]);
  return fc
    .record({
      argv: fc.oneof(watch, watch, answer, work, serve, ...waiting),
      mode: fc.constantFrom([], ['--json'], ['--jsonl']),
      isTerminal: fc.boolean(),
    })
    .map(({ argv, mode, isTerminal }) => ({ argv: [...argv, '--debug', ...mode], isTerminal }));
}
