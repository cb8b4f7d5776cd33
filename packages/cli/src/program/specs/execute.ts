import type { CommandSpec, OptionSpec } from '../command-spec.ts';

const startOptions: readonly OptionSpec[] = [
  { flags: '--id <id>', help: 'The id of the run. Repeating the same id and input returns the same run.' },
  { flags: '--turn <name>', help: 'Pass the input as the next turn of the run --id.' },
  { flags: '--input <json>', help: 'The whole input as JSON, or - to read it from stdin.' },
  { flags: '--tag <k=v>', help: 'A tag of the run. Repeatable.', many: true },
  { flags: '--max-supersteps <n>', help: 'The number of super-steps the run may take.' },
  { flags: '--timeout <duration>', help: 'Fail the run if it has not ended by then, whatever it waits for: 12h, 30d.' },
];
const startArgs = [
  ['<graph>', 'The name of the graph.'],
  ['[k=v...]', 'The input, one field per argument: JSON, or text if it is not JSON or the graph declares text.'],
] as const;

/** Commands that need the code of the graphs. */
export const executeCommands: readonly CommandSpec[] = [
  {
    name: 'run',
    args: startArgs,
    summary: 'Start a run and execute it here until it ends or needs input.',
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
    summary: 'Start a run and let a worker execute it.',
    options: startOptions,
    examples: [['holdfast submit refunds order=ord_81 cents=12000', '']],
    load: async () => (await import('../../command/execute/run.ts')).submit,
  },
  {
    name: 'work',
    summary: 'Execute runs until stopped, then finish the steps in flight.',
    details:
      'On Ctrl-C or SIGTERM the worker accepts no new work and gives the steps in flight the time of --drain. A second signal quits at once; committed work is safe. Exit code: 130 after Ctrl-C, 143 after SIGTERM.',
    options: [
      { flags: '--concurrency <n>', help: 'Maximum number of concurrent runs.', otherwise: '16' },
      { flags: '--drain <duration>', help: 'How long the steps in flight may take to finish.', otherwise: '10s' },
    ],
    examples: [['holdfast work -g refunds.ts --concurrency 4', '']],
    load: async () => (await import('../../command/execute/work.ts')).work,
  },
  {
    name: 'serve',
    summary: 'Serve the HTTP API and the studio, and print their address with a token.',
    details:
      'Listens on 127.0.0.1. Another address needs a token in HOLDFAST_TOKEN. Nothing is executed here unless you pass --work: a worker or dev continues the runs. With --graphs, clients can start runs, and input is validated.',
    options: [
      { flags: '--port <n>', help: 'The port; 0 for any free one.', otherwise: '4000' },
      { flags: '--host <address>', help: 'The address to listen on.', otherwise: '127.0.0.1' },
      { flags: '--allow-host <name>', help: 'A host name that clients use. Repeatable.', many: true },
      { flags: '--read-only', help: 'Refuse every command.' },
      { flags: '--work', help: 'Execute runs here, too.' },
      { flags: '--redact <pointer>', help: 'Never send this: /state/customer/email. Repeatable.', many: true },
    ],
    examples: [
      ['holdfast serve -g refunds.ts', ''],
      ['holdfast serve --read-only --port 0', 'beside a running program'],
    ],
    load: async () => (await import('../../command/execute/serve.ts')).serve,
  },
  {
    name: 'recover',
    summary: 'Continue every unfinished run that no process executes, until each ends or needs input.',
    details: 'Suspended runs stay suspended.',
    examples: [['holdfast recover -g refunds.ts', 'after a crash']],
    load: async () => (await import('../../command/execute/recover.ts')).recover,
  },
  {
    name: 'check',
    summary: 'List the unfinished runs that these graphs could not continue, and what each run is missing.',
    details: 'Run it before a deploy. Exit code: 0 if there are none, 5 otherwise.',
    examples: [['holdfast check -g dist/graphs.js', '']],
    load: async () => (await import('../../command/execute/check.ts')).check,
  },
  {
    name: 'graph',
    args: [['[name]', 'The name of a graph. Default: all graphs.']],
    summary: 'Show the nodes and edges of a graph.',
    options: [{ flags: '--mermaid', help: 'Print a Mermaid flowchart.' }],
    examples: [
      ['holdfast graph refunds -g refunds.ts', ''],
      ['holdfast graph refunds --mermaid > refunds.mmd', ''],
    ],
    load: async () => (await import('../../command/execute/graph.ts')).graph,
  },
];
