import type { CommandSpec } from '../command-spec.ts';

/** The store as a whole. */
export const storeCommands: readonly CommandSpec[] = [
  {
    name: 'prune',
    args: [['[run]', 'Only this run.']],
    summary: 'Shows which old checkpoints would go, and drops them with --apply.',
    details: 'What forks, questions or effects stand on stays. On a terminal --apply asks once more, unless --yes.',
    options: [
      { flags: '--older-than <duration>', help: 'Checkpoints of at least this age: 12h, 30d.' },
      { flags: '--keep <n>', help: 'All but the newest so many of each run.' },
      { flags: '--status <status>', help: 'Only in runs of these statuses. May be repeated.', many: true },
      { flags: '--apply', help: 'Drops them.' },
    ],
    examples: [
      ['holdfast prune --older-than 30d --keep 5', 'shows what would go'],
      ['holdfast prune --older-than 30d --keep 5 --apply --yes', 'drops it'],
    ],
    load: async () => (await import('../../command/store/prune.ts')).prune,
  },
  {
    name: 'verify',
    summary: 'Reads the whole store and says where something is corrupt or missing.',
    details: 'Exit code: 0 whole, 1 corrupt.',
    examples: [['holdfast verify', '']],
    load: async () => (await import('../../command/store/verify.ts')).verify,
  },
  {
    name: 'export',
    args: [['<run>', 'An id, a unique beginning of one, @last, or @last~2.']],
    summary: 'Writes a run with its children, and what it was forked from, as one file of JSON lines.',
    details: 'To stdout, unless --output names a file; a file that is there is not written over.',
    options: [
      { flags: '-o, --output <file>', help: 'Where to.' },
      {
        flags: '--redact <pointer>',
        help: 'What must not leave the house: /state/customer/email, /results/*. May be repeated.',
        many: true,
      },
    ],
    examples: [
      ['holdfast export ord_81 -o ord_81.jsonl --redact /state/customer', ''],
      ['holdfast export ord_81 | gzip > ord_81.jsonl.gz', ''],
    ],
    load: async () => (await import('../../command/store/export.ts')).exportRun,
  },
  {
    name: 'import',
    args: [['<file>', 'What export wrote, or - to read it from stdin.']],
    summary:
      'Brings in what export wrote. Nothing executes: an unfinished run is suspended until it is resumed or answered.',
    options: [{ flags: '--id <id>', help: 'Another id for the run.' }],
    examples: [['holdfast import ord_81.jsonl --store sqlite:copy.db', '']],
    load: async () => (await import('../../command/store/import.ts')).importRun,
  },
  {
    name: 'promote',
    args: [
      ['<from>', 'The address of a store.'],
      ['<to>', 'The address of another.'],
    ],
    summary: 'Copies every run of a store into another one, and compares them there record by record.',
    details: 'The source is not changed. After an interruption, call it again.',
    examples: [['holdfast promote file:runs sqlite:runs.db', '']],
    load: async () => (await import('../../command/store/promote.ts')).promoteStore,
  },
];
