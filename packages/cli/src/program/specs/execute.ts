import type { CommandSpec, OptionSpec } from '../command-spec.ts';

const startOptions: readonly OptionSpec[] = [
  { flags: '--id <id>', help: 'The id of the run. The same id and input again is the same run.' },
  { flags: '--turn <name>', help: 'Makes the input the next turn of the run --id.' },
  { flags: '--input <json>', help: 'The whole input as JSON, or - to read it from stdin.' },
  { flags: '--tag <k=v>', help: 'Tags of the run. May be repeated.', many: true },
  { flags: '--max-supersteps <n>', help: 'How many super-steps the run may take.' },
];
const startArgs = [
  ['<graph>', 'The name of the graph.'],
  ['[k=v...]', 'The input, a field each. A value that reads as JSON is JSON, anything else is text.'],
] as const;

/** What needs the code of the graphs. */
export const executeCommands: readonly CommandSpec[] = [
  {
    name: 'run',
    args: startArgs,
    summary: 'Starts a run, executes it here and waits until it ends or waits for somebody.',
    details: 'Exit code: 0 completed, 1 failed or cancelled, 3 waiting.',
    options: startOptions,
    examples: [
      ['holdfast run refunds order=ord_81 cents=12000 -g refunds.ts', ''],
      ['holdfast run onboard --input \'{"email":"a@b.c"}\' --id signup-1', ''],
    ],
    load: async () => (await import('../../command/execute/run.ts')).run,
  },
  {
    name: 'submit',
    args: startArgs,
    summary: 'Starts a run that a worker executes.',
    options: startOptions,
    examples: [['holdfast submit refunds order=ord_81 cents=12000', '']],
    load: async () => (await import('../../command/execute/run.ts')).submit,
  },
  {
    name: 'work',
    summary: 'Executes runs until it is ended; then lets the steps in flight finish.',
    details:
      'Ctrl-C or SIGTERM: no new work, steps in flight have the time of --drain. A second one ends it at once; what was committed stays. Exit code: 130 after Ctrl-C, 143 after SIGTERM.',
    options: [
      { flags: '--concurrency <n>', help: 'Runs at a time.', otherwise: '16' },
      { flags: '--drain <duration>', help: 'How long steps in flight may take to finish.', otherwise: '10s' },
    ],
    examples: [['holdfast work -g refunds.ts --concurrency 4', '']],
    load: async () => (await import('../../command/execute/work.ts')).work,
  },
  {
    name: 'recover',
    summary:
      'Takes up every unfinished run that nobody executes, but for suspended ones, and waits until each ends or waits for somebody.',
    examples: [['holdfast recover -g refunds.ts', 'after a crash']],
    load: async () => (await import('../../command/execute/recover.ts')).recover,
  },
  {
    name: 'check',
    summary: 'Lists the unfinished runs that these graphs could not continue, and what each misses.',
    details: 'Before a deploy. Exit code: 0 none, 5 some.',
    examples: [['holdfast check -g dist/graphs.js', '']],
    load: async () => (await import('../../command/execute/check.ts')).check,
  },
  {
    name: 'graph',
    args: [['[name]', 'Which graph. Default: all of them.']],
    summary: 'Shows the nodes of a graph and where they lead.',
    options: [{ flags: '--mermaid', help: 'As a Mermaid flowchart.' }],
    examples: [
      ['holdfast graph refunds -g refunds.ts', ''],
      ['holdfast graph refunds --mermaid > refunds.mmd', ''],
    ],
    load: async () => (await import('../../command/execute/graph.ts')).graph,
  },
];
