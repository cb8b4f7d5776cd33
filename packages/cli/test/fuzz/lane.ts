// A process that tries cases, as the one of core: it is told a harness and a seed, and says what it found.
import * as fc from 'fast-check';
import { publicCommands } from '../../src/program/commands.ts';
import { controlsIn, hostileText } from '../security/hostile-text.ts';
import { type CommandLine, commandLine, longLine, lookingLine } from './command-line.ts';
import { inProject } from './hostile-project.ts';
import { call, callUntilEnded } from './in-process.ts';

interface Finding {
  readonly kind: 'untyped' | 'raw';
  readonly what: string;
}

/** 130: ended by Ctrl-C. */
const exitCodes: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 130]);
/** With `--debug`, an error is shown with its class: those that are ours are told to people. */
const foreignError = /^(?!HoldfastError|CliError|CommanderError)\w*Error(?: \[\w+\])?: .*/mu;
const linesPerCase = 4;
/** How a line of progress replaces the one before it. */
const newNote = '\r\u001b[K';

async function tryCase(
  seed: number,
  lines: fc.Arbitrary<CommandLine>,
  run: typeof call = call,
): Promise<readonly Finding[]> {
  const [texts = []] = fc.sample(fc.array(hostileText, { minLength: 20, maxLength: 20 }), { seed, numRuns: 1 });
  let next = 0;
  const text = (): string => {
    next += 1;
    return texts[next % texts.length] ?? '';
  };
  const findings: Finding[] = [];
  await inProject(text, async () => {
    for (const line of fc.sample(lines, { seed, numRuns: linesPerCase })) findings.push(...(await judge(line, run)));
  });
  return findings;
}

async function judge({ argv, isTerminal }: CommandLine, run: typeof call): Promise<readonly Finding[]> {
  const { code, text } = await run(argv, { isTerminal });
  const shown = JSON.stringify(argv);
  const findings: Finding[] = [];
  const [error] = foreignError.exec(text) ?? [];
  if (error !== undefined || !exitCodes.has(code)) {
    findings.push({ kind: 'untyped', what: `${shown} ended with ${code}: ${(error ?? text).slice(0, 300)}` });
  }
  // The bytes of an export are for a file.
  const shownText = argv[0] === 'promote' && isTerminal ? text.replaceAll(newNote, '') : text;
  const controls = argv[0] === 'export' ? [] : controlsIn(shownText, { isColored: isTerminal });
  if (controls.length > 0) findings.push({ kind: 'raw', what: `${shown} printed ${[...new Set(controls)].join(' ')}` });
  return findings;
}

const harnesses: Readonly<Record<string, (seed: number) => Promise<readonly Finding[]>>> = {
  arguments: (seed) => tryCase(seed, commandLine(publicCommands())),
  terminal: (seed) => tryCase(seed, lookingLine),
  long: (seed) => tryCase(seed, longLine(publicCommands()), callUntilEnded),
};

let stray: Finding[] = [];
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error: unknown) => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stray.push({ kind: 'untyped', what: `nobody caught ${what.slice(0, 500)}` });
  });
}
process.on('message', ({ harness, seed }: { readonly harness: string; readonly seed: number }) => {
  stray = [];
  const before = process.cpuUsage();
  const run = harnesses[harness];
  if (run === undefined) throw new Error(`there is no harness ${harness}`);
  void run(seed)
    .catch((error: unknown) => [{ kind: 'untyped', what: `the case: ${String(error)}` } as const])
    .then((findings) => {
      const { user, system } = process.cpuUsage(before);
      process.send?.({ findings: [...findings, ...stray], cpuMs: (user + system) / 1_000 });
    });
});
// A parent that was killed ends nobody.
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
