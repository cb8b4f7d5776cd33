import type { CommandSpec } from '../command-spec.ts';

/** Commands for the whole store. */
export const storeCommands: readonly CommandSpec[] = [
  {
    name: 'prune',
    args: [['[run]', 'Only this run.']],
    summary: 'Preview which old checkpoints can be dropped, and drop them with --apply.',
    details:
      'Checkpoints that forks, questions or effects need are kept. On a terminal, --apply asks for confirmation unless you pass --yes.',
    options: [
      { flags: '--older-than <duration>', help: 'Drop checkpoints older than this: 12h, 30d.' },
      { flags: '--keep <n>', help: 'Keep the newest n checkpoints of each run.' },
      { flags: '--status <status>', help: 'Only in runs with this status. Repeatable.', many: true },
      { flags: '--apply', help: 'Drop them.' },
    ],
    examples: [
      ['holdfast prune --older-than 30d --keep 5', 'a preview'],
      ['holdfast prune --older-than 30d --keep 5 --apply --yes', 'drops them'],
    ],
    load: async () => (await import('../../command/store/prune.ts')).prune,
  },
  {
    name: 'verify',
    summary: 'Read the whole store and report corrupt or missing data.',
    details: 'Exit code: 0 if the store is intact, 1 if it is corrupt.',
    examples: [['holdfast verify', '']],
    load: async () => (await import('../../command/store/verify.ts')).verify,
  },
  {
    name: 'backup',
    args: [['<target>', 'The file to write. An existing file is never overwritten.']],
    summary: 'Copy a SQLite store to a file while other processes write to it, and verify the copy.',
    details:
      'The copy is the store as it was at one moment. To restore it, stop the workers and put it in the place of the store. Exit code: 0 if the copy is intact, 1 if it is corrupt.',
    examples: [
      ['holdfast backup backups/runs.db', ''],
      ['holdfast runs --store sqlite:backups/runs.db', 'looks into it'],
    ],
    load: async () => (await import('../../command/store/backup.ts')).backup,
  },
  {
    name: 'migrate',
    summary: 'Create the tables of a store, or bring them up to date, before programs use it.',
    details:
      'Opening a store does the same. On Postgres, run it as a user who may create tables, so that your programs need no such right.',
    examples: [['holdfast migrate --store postgres://owner@db/app', 'as the owner of the schema']],
    load: async () => (await import('../../command/store/migrate.ts')).migrate,
  },
  {
    name: 'export',
    args: [['<run>', 'A run id, a unique prefix of one, @last, or @last~2.']],
    summary: 'Write a run, its child runs and the history it was forked from as one file of JSON lines.',
    details: 'Writes to stdout unless you pass --output. An existing file is never overwritten.',
    options: [
      { flags: '-o, --output <file>', help: 'The file to write.' },
      {
        flags: '--redact <pointer>',
        help: 'Replace this value with a placeholder: /state/customer/email, /results/*. Repeatable.',
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
    args: [['<file>', 'A file written by export, or - to read it from stdin.']],
    summary:
      'Import a file written by export. Nothing is executed: an unfinished run is suspended until you resume or answer it.',
    options: [{ flags: '--id <id>', help: 'A new id for the run.' }],
    examples: [['holdfast import ord_81.jsonl --store sqlite:copy.db', '']],
    load: async () => (await import('../../command/store/import.ts')).importRun,
  },
  {
    name: 'promote',
    args: [
      ['<from>', 'The URL of a store.'],
      ['<to>', 'The URL of another store.'],
    ],
    summary: 'Copy every run to another store and compare the copies record by record.',
    details: 'The source is not changed. If it is interrupted, run it again.',
    examples: [['holdfast promote file:runs sqlite:runs.db', '']],
    load: async () => (await import('../../command/store/promote.ts')).promoteStore,
  },
];
