import type { CommandSpec } from '../command-spec.ts';

/** The argument that names a run. */
export const runArg = ['<run>', 'A run id, a unique prefix of one, @last, or @last~2.'] as const;

/** Commands that only read. They need no code. */
export const lookCommands: readonly CommandSpec[] = [
  {
    name: 'runs',
    args: [['[query...]', 'status:waiting graph:refunds node:approve tag:eu=yes age>1h, or a prefix of the id.']],
    summary: 'List runs, newest first.',
    options: [
      { flags: '--limit <n>', help: 'Maximum number of results; 0 for all.', otherwise: '20' },
      { flags: '--no-children', help: 'Leave out the runs that other runs started.' },
    ],
    examples: [
      ['holdfast runs', ''],
      ["holdfast runs status:waiting 'age>1h'", 'runs without activity for an hour'],
      ['holdfast runs graph:refunds --limit 0 --jsonl', 'all of them, as JSON lines'],
    ],
    load: async () => (await import('../../command/look/runs.ts')).runs,
  },
  {
    name: 'show',
    args: [runArg],
    summary: 'Show a run: its status, what it waits for, why it failed, its state, and what it returned.',
    examples: [['holdfast show @last', '']],
    load: async () => (await import('../../command/look/show.ts')).show,
  },
  {
    name: 'watch',
    args: [runArg],
    summary: 'Follow a run until it ends or needs input, or until no worker continues it.',
    details: 'Exit code: 0 completed, 1 failed or cancelled, 3 waiting for input or for a worker, 130 after Ctrl-C.',
    options: [
      { flags: '--after <cursor>', help: 'Only events after this cursor.' },
      { flags: '--until-end', help: 'Keep following until the run has ended, whether or not a worker continues it.' },
    ],
    examples: [
      ['holdfast watch @last', ''],
      ['holdfast watch ord_81 --until-end --jsonl', ''],
    ],
    load: async () => (await import('../../command/look/watch.ts')).watch,
  },
  {
    name: 'log',
    args: [runArg],
    summary: 'Show what happened in a run, newest first.',
    options: [
      { flags: '--graph', help: 'Draw the run with all its forks.' },
      { flags: '--limit <n>', help: 'Maximum number of lines; 0 for all.', otherwise: '50' },
    ],
    examples: [['holdfast log ord_81 --graph', '']],
    load: async () => (await import('../../command/look/log.ts')).log,
  },
  {
    name: 'state',
    args: [['<run[@seq]>', 'A run, or a checkpoint in it: ord_81@5.']],
    summary: 'Show the current or a past state of a run; for a completed workflow, what it returned.',
    examples: [
      ['holdfast state ord_81', ''],
      ['holdfast state ord_81@5 --json', ''],
    ],
    load: async () => (await import('../../command/look/state.ts')).state,
  },
  {
    name: 'diff',
    args: [
      ['<a>', 'A run, or a checkpoint in it.'],
      ['<b>', 'Another; @7 is a checkpoint in the same run.'],
    ],
    summary: 'Show the difference between two states, of one run or of two.',
    examples: [
      ['holdfast diff ord_81@3 @7', ''],
      ['holdfast diff ord_81 what-if', 'their current states'],
    ],
    load: async () => (await import('../../command/look/diff.ts')).diff,
  },
  {
    name: 'journal',
    args: [runArg],
    summary: 'List the records of a run, oldest first.',
    options: [
      { flags: '--kind <kind>', help: 'Only records of this kind: superstep, wait, answer, result, …' },
      { flags: '--label <label>', help: 'Only records with this label.' },
      { flags: '--source <source>', help: 'Only records from this source: input, tool, output, …' },
      { flags: '--after <seq>', help: 'Only records after this one.' },
      { flags: '--tail <n>', help: 'Only the last n records.' },
    ],
    examples: [
      ['holdfast journal ord_81 --kind answer', ''],
      ['holdfast journal ord_81 --jsonl', ''],
    ],
    load: async () => (await import('../../command/look/journal.ts')).journal,
  },
  {
    name: 'asks',
    args: [['[run]', 'Only questions of this run and its child runs.']],
    summary: 'List the open questions, oldest first.',
    options: [
      { flags: '--graph <name>', help: 'Only questions from runs of this graph.' },
      { flags: '--name <name>', help: 'Only questions with this name.' },
      { flags: '--limit <n>', help: 'Maximum number of results; 0 for all.', otherwise: '20' },
    ],
    examples: [['holdfast asks', '']],
    load: async () => (await import('../../command/look/asks.ts')).asks,
  },
  {
    name: 'studio',
    summary: 'Show the store in a browser: runs, their history and state, questions, forks, the size of the store.',
    details:
      'Prints an address with a token; listens on 127.0.0.1 only. Nothing is executed here: a worker or dev continues the runs. A file store that another process writes to is opened read-only. With --graphs, runs can be started and graphs are drawn.',
    options: [
      { flags: '--port <n>', help: 'The port; 0 for any free one.', otherwise: '0' },
      { flags: '--read-only', help: 'Refuse every command.' },
    ],
    examples: [
      ['holdfast studio -g refunds.ts', ''],
      ['holdfast studio --read-only', 'beside a running program'],
    ],
    load: async () => (await import('../../command/look/studio.ts')).studio,
  },
];
