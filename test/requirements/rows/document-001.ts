import type { Row } from '../mutant.ts';
import { atOrBefore, coversAtMost, list, order, sameId } from '../mutants/checkpoints.ts';
import { pending } from '../mutants/graph.ts';
import { prune, terminal } from '../mutants/retention.ts';

/** The rows of document 001. */
export const checkpointRows: readonly Row[] = [
  {
    document: '001',
    name: 'save: covers at most what there is',
    asked: '`save(checkpoint, latest_journal_seq)`: covers at most the latest seq, else a contract violation',
    here: '`checkpoints.save`; the latest seq is read from the store, in the same commit',
    better: 'never trusted from the caller',
    tests: [
      'a checkpoint covers the journal as it is, unless it says less',
      'one that covers more of the journal than there is is refused and nothing is saved',
      'what a checkpoint covers is read in its own commit, however many write at once',
    ],
    mutants: coversAtMost,
  },
  {
    document: '001',
    name: 'the same id',
    asked: 'same id replaces',
    here: 'same id and same content is idempotent; same id with other content is refused',
    better: 'never moves `covers` backwards silently',
    tests: [
      'the same id and content is idempotent and never moves covers',
      'the same id with other content is refused',
    ],
    mutants: sameId,
  },
  {
    document: '001',
    name: 'the order: covers, then place',
    asked: 'order: covers, then checkpoint seq, then time; ties: last saved',
    here: 'the same',
    tests: ['the order is by covers, then by place; latest is the greatest whatever its super-step'],
    mutants: order,
  },
  {
    document: '001',
    name: 'latest, and at or before a cursor',
    asked: '`load_latest`, `load_at_or_before(cursor)`',
    here: '`latest`, `atOrBefore`',
    better: 'a cursor that does not parse is an error, in every store alike (there: silently 0)',
    tests: [
      'atOrBefore gives the greatest that covers at most the cursor',
      'there is nothing at or before a cursor that no checkpoint covers so little as',
      'the cursor %j does not parse and is an error, never the beginning',
    ],
    mutants: atOrBefore,
  },
  {
    document: '001',
    name: 'prune',
    asked:
      '`prune(prune_covered_before, preserve_latest_terminal)` → pruned, retained, preserved terminal; unknown run: zeros',
    here: '`prune` with `before`, `keepLatestTerminal`',
    better:
      'never removes the last checkpoint of a run, one that a fork stands on, or the one before a pending effect; says what protected what; dry run',
    tests: [
      'prune drops what covers less, and says what it dropped and kept',
      'prune keeps the latest terminal checkpoint if asked, and names it',
      'prune of an unknown run is zeros',
      'prune never removes the last checkpoint of a run',
      'prune never removes one that a fork stands on',
      'a dry run reports the same and drops nothing',
      'prune takes only what is older, where an age is given',
      'prune takes only runs of the status, where one is given',
      'a policy that says nothing, or something unknown, is refused rather than dropping all',
      'prune of an unknown run is zeros; the last checkpoint of a run is never removed',
      'prune never removes what a fork stands on, or what is before a pending effect, and says so',
    ],
    mutants: prune,
  },
  {
    document: '001',
    name: 'what is terminal',
    asked: 'terminal: `terminal:*`, completed, failed, cancelled, terminal, any case',
    here: 'one function, used by every store',
    better: "the originals' stores disagree",
    tests: ['the status %s is terminal', 'the status %s is not terminal'],
    mutants: terminal,
  },
  {
    document: '001',
    name: 'list: across a run, and across runs',
    asked: 'list across a run',
    here: '`list`, newest first, paged; and across runs',
    tests: [
      'list gives a run newest first, in pages, without states',
      'checkpoints are listed across runs: every run is listed, and then its own',
      'listing from a checkpoint that is not there is an error',
    ],
    mutants: list,
  },
  {
    document: '001',
    name: 'pending effects and approvals',
    asked: 'pending side effects and approvals in the checkpoint',
    here: "`waits`, `effect: 'once'`",
    tests: [
      'an approval that is pending is kept with the run: another engine lists it and answers it',
      'a side effect that a crash cut off is pending: it is not done again until somebody says what became of it',
    ],
    mutants: pending,
  },
];
