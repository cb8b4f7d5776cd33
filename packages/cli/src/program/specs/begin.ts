import type { CommandSpec } from '../command-spec.ts';

/** From nothing to a first run. */
export const beginCommands: readonly CommandSpec[] = [
  {
    name: 'demo',
    summary: 'Shows in a few seconds what Holdfast does: a worker is killed, and nothing that finished runs twice.',
    details:
      'Offline, with a scripted model and a SQLite store of its own in .holdfast/demo.db. One run stays waiting for you. On a terminal the demo stays to execute it when it is answered; otherwise it ends.',
    options: [{ flags: '--continue', help: 'Goes on with the runs of the last demo instead of beginning anew.' }],
    examples: [
      ['holdfast demo', ''],
      ['holdfast demo --continue', 'after the question was answered'],
    ],
    load: async () => (await import('../../command/begin/demo.ts')).demo,
  },
  {
    name: 'init',
    args: [['[folder]', 'Where to. Default: here.']],
    summary: 'Writes a first graph, and into package.json where it and the store are.',
    examples: [['holdfast init', 'then: holdfast dev']],
    load: async () => (await import('../../command/begin/init.ts')).init,
  },
  {
    name: 'dev',
    args: [['[files...]', 'Files that export graphs. Default: those of --graphs.']],
    summary: 'Loads graphs, executes their runs, loads again when a file changes, and shows a live line a run.',
    details:
      'Files are watched with all that they import. A worker that dies is started again, and its runs go on from their last commit.',
    options: [{ flags: '--concurrency <n>', help: 'Runs at a time.', otherwise: '16' }],
    examples: [
      ['holdfast dev refunds.ts', ''],
      ['holdfast submit refunds order=ord_81 cents=12000 -g refunds.ts', 'from another terminal'],
    ],
    load: async () => (await import('../../command/begin/dev.ts')).dev,
  },
  {
    name: 'dev-worker',
    summary: 'The process in which dev executes runs.',
    hidden: true,
    options: [{ flags: '--concurrency <n>', help: 'Runs at a time.' }],
    examples: [],
    load: async () => (await import('../../command/begin/dev-worker.ts')).devWorker,
  },
  {
    name: 'demo-worker',
    args: [['<life>', 'first or second.']],
    summary: 'The process that the demo kills.',
    hidden: true,
    examples: [],
    load: async () => (await import('../../command/begin/demo-worker.ts')).demoWorker,
  },
  {
    name: 'doctor',
    summary: 'Checks Node, the SQLite driver, the store, its permissions, the clock and how long a disk sync takes.',
    examples: [['holdfast doctor --store sqlite:./runs.db', '']],
    load: async () => (await import('../../command/begin/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    args: [['<shell>', 'bash, zsh or fish.']],
    summary: 'Prints the completion script of a shell.',
    examples: [
      ['source <(holdfast completion bash)', 'in ~/.bashrc'],
      ['holdfast completion zsh > ~/.zfunc/_holdfast', 'a folder of $fpath'],
      ['holdfast completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
    load: async () => (await import('../../command/begin/completion.ts')).completion,
  },
  {
    name: 'complete',
    args: [['[beginning]', 'The beginning of a run id.']],
    summary: 'Prints the run ids that a shell completes, one per line.',
    hidden: true,
    examples: [],
    load: async () => (await import('../../command/begin/complete.ts')).complete,
  },
];
