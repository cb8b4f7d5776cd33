import type { CommandSpec } from '../command-spec.ts';

/** Commands for the first run. */
export const beginCommands: readonly CommandSpec[] = [
  {
    name: 'demo',
    summary: 'Show what Holdfast does in a few seconds: a worker is killed, and no finished step runs twice.',
    details:
      'Runs offline, with a scripted model and its own SQLite store in .holdfast/demo.db. One run waits for your answer. On a terminal the demo keeps running to execute it; elsewhere it exits.',
    options: [{ flags: '--continue', help: 'Continue the runs of the last demo instead of starting over.' }],
    examples: [
      ['holdfast demo', ''],
      ['holdfast demo --continue', 'after you answered the question'],
    ],
    load: async () => (await import('../../command/begin/demo.ts')).demo,
  },
  {
    name: 'init',
    args: [['[folder]', 'Where to write. Default: the current folder.']],
    summary: 'Write a first graph, and add the graph and the store to package.json.',
    examples: [['holdfast init', 'then: holdfast dev']],
    load: async () => (await import('../../command/begin/init.ts')).init,
  },
  {
    name: 'dev',
    args: [['[files...]', 'Files that export graphs. Default: the files of --graphs.']],
    summary: 'Load graphs, execute their runs, reload when a file changes, and show one live line per run.',
    details:
      'Watches the files and everything they import. A worker that dies is restarted, and its runs continue from their last commit.',
    options: [{ flags: '--concurrency <n>', help: 'Maximum number of concurrent runs.', otherwise: '16' }],
    examples: [
      ['holdfast dev refunds.ts', ''],
      ['holdfast submit refunds order=ord_81 cents=12000 -g refunds.ts', 'in another terminal'],
    ],
    load: async () => (await import('../../command/begin/dev.ts')).dev,
  },
  {
    name: 'dev-worker',
    summary: 'The process in which dev executes runs.',
    hidden: true,
    options: [{ flags: '--concurrency <n>', help: 'Maximum number of concurrent runs.' }],
    examples: [],
    load: async () => (await import('../../command/begin/dev-worker.ts')).devWorker,
  },
  {
    name: 'demo-worker',
    args: [['<life>', 'first, second or watched.']],
    summary: 'The process that the demo kills.',
    hidden: true,
    examples: [],
    load: async () => (await import('../../command/begin/demo-worker.ts')).demoWorker,
  },
  {
    name: 'doctor',
    summary: 'Check Node, the SQLite driver, the store, its permissions, the clock and the speed of a disk sync.',
    details:
      'Of a Postgres store, it checks the version and encoding of the server, the rights of the user, the settings that decide what a commit survives, and whether a pooler is in between. Exit code: 1 if something is broken.',
    examples: [
      ['holdfast doctor --store sqlite:./runs.db', ''],
      ['holdfast doctor --store postgres://user@db/app', ''],
    ],
    load: async () => (await import('../../command/begin/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    args: [['<shell>', 'bash, zsh or fish.']],
    summary: 'Print the completion script for a shell.',
    examples: [
      ['source <(holdfast completion bash)', 'in ~/.bashrc'],
      ['holdfast completion zsh > ~/.zfunc/_holdfast', 'a folder of $fpath'],
      ['holdfast completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
    load: async () => (await import('../../command/begin/completion.ts')).completion,
  },
  {
    name: 'complete',
    args: [['[prefix]', 'The start of a run id.']],
    summary: 'Print the run ids that complete a prefix, one per line.',
    hidden: true,
    examples: [],
    load: async () => (await import('../../command/begin/complete.ts')).complete,
  },
];
