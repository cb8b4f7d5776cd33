import type { CommandSpec } from '../command-spec.ts';

/** How a run is named. */
export const runArg = ['<run>', 'An id, a unique beginning of one, @last, or @last~2.'] as const;

/** Reading: nothing is written, and no code is needed. */
export const lookCommands: readonly CommandSpec[] = [
  {
    name: 'runs',
    args: [['[query...]', 'status:waiting graph:refunds node:approve tag:eu=yes age>1h, or how the id begins.']],
    summary: 'Lists runs, the newest first.',
    options: [{ flags: '--limit <n>', help: 'At most so many; 0 for all.', otherwise: '20' }],
    examples: [
      ['holdfast runs', ''],
      ["holdfast runs status:waiting 'age>1h'", 'that nobody has written to for an hour'],
      ['holdfast runs graph:refunds --limit 0 --jsonl', 'all of them, for a program'],
    ],
    load: async () => (await import('../../command/look/runs.ts')).runs,
  },
  {
    name: 'show',
    args: [runArg],
    summary: 'Shows a run: how it stands, what it waits for, why it failed, and its state.',
    examples: [['holdfast show @last', '']],
    load: async () => (await import('../../command/look/show.ts')).show,
  },
  {
    name: 'watch',
    args: [runArg],
    summary: 'Follows a run until it ends or waits for somebody.',
    details: 'Exit code: 0 completed, 1 failed or cancelled, 3 waiting, 130 after Ctrl-C.',
    options: [
      { flags: '--after <cursor>', help: 'Only what followed this event or record.' },
      { flags: '--until-end', help: 'Goes on through every wait until the run has ended.' },
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
    summary: 'Shows what happened in a run, the newest first.',
    options: [
      { flags: '--graph', help: 'Draws the run with all of its forks.' },
      { flags: '--limit <n>', help: 'At most so many lines; 0 for all.', otherwise: '50' },
    ],
    examples: [['holdfast log ord_81 --graph', '']],
    load: async () => (await import('../../command/look/log.ts')).log,
  },
  {
    name: 'state',
    args: [['<run[@seq]>', 'A run, or a place in it: ord_81@5.']],
    summary: 'Shows the state of a run as it is, or as it was.',
    examples: [
      ['holdfast state ord_81', ''],
      ['holdfast state ord_81@5 --json', ''],
    ],
    load: async () => (await import('../../command/look/state.ts')).state,
  },
  {
    name: 'diff',
    args: [
      ['<a>', 'A run or a place in it.'],
      ['<b>', 'Another; @7 alone is a place in the same run.'],
    ],
    summary: 'Shows what turns the state at one place into that at another, also of another run.',
    examples: [
      ['holdfast diff ord_81@3 @7', ''],
      ['holdfast diff ord_81 what-if', 'their newest states'],
    ],
    load: async () => (await import('../../command/look/diff.ts')).diff,
  },
  {
    name: 'journal',
    args: [runArg],
    summary: 'Lists the records of a run, the oldest first.',
    options: [
      { flags: '--kind <kind>', help: 'Only such records: superstep, wait, answer, result, …' },
      { flags: '--tag <tag>', help: 'Only records with this tag.' },
      { flags: '--after <seq>', help: 'Only those after this one.' },
      { flags: '--tail <n>', help: 'Only the last so many.' },
    ],
    examples: [
      ['holdfast journal ord_81 --kind answer', ''],
      ['holdfast journal ord_81 --jsonl', ''],
    ],
    load: async () => (await import('../../command/look/journal.ts')).journal,
  },
  {
    name: 'asks',
    args: [['[run]', 'Only of this run and its children.']],
    summary: 'Lists the questions that wait for an answer, the oldest first.',
    options: [
      { flags: '--graph <name>', help: 'Only of runs of this graph.' },
      { flags: '--name <name>', help: 'Only questions of this name.' },
      { flags: '--limit <n>', help: 'At most so many; 0 for all.', otherwise: '20' },
    ],
    examples: [['holdfast asks', '']],
    load: async () => (await import('../../command/look/asks.ts')).asks,
  },
];
