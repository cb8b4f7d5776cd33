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
    load: async () => (await import('../../command/prune.ts')).prune,
  },
  {
    name: 'verify',
    summary: 'Reads the whole store and says where something is damaged or missing.',
    details: 'Exit code: 0 whole, 1 damaged.',
    examples: [['holdfast verify', '']],
    load: async () => (await import('../../command/verify.ts')).verify,
  },
];
