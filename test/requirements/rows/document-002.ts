import type { Row } from '../mutant.ts';
import { keyOfCheckpoint, listInOrder, saveAndLoad } from '../mutants/checkpoints.ts';
import { fork } from '../mutants/forks.ts';
import { reducers } from '../mutants/reducers.ts';
import { everyStore } from '../mutants/stores.ts';

/** The rows of document 002. */
export const channelRows: readonly Row[] = [
  {
    document: '002',
    name: 'the key of a checkpoint, its values, label and time',
    asked: 'key (workflow, run, super-step); values; label; time',
    here: '`Checkpoint { runId, superstep, seq, label, state, at }`',
    tests: [
      'a checkpoint has its workflow, run, super-step, values, label and time',
      'one checkpoint per super-step, in order: run, super-step, values, label and time',
    ],
    mutants: keyOfCheckpoint,
  },
  {
    document: '002',
    name: 'save, load, latest, list',
    asked: '`save`, `load`, `latest`, `list`',
    here: 'the same',
    better: '`load` and `latest` agree (there: oldest and newest duplicate)',
    tests: [
      'load and latest agree when a super-step was saved twice',
      'atSuperstep finds the newest of that super-step, and nothing for one that is not there',
    ],
    mutants: saveAndLoad,
  },
  {
    document: '002',
    name: 'fork',
    asked: '`fork(from, edits)` → a new run, label `fork-of:<run>`',
    here: '`fork`',
    better:
      'a pointer, not a copy; lineage kept; edits are validated, unknown channels refused; missing source is a typed error',
    tests: [
      'fork gives a new run with the edits, labelled by where it came from',
      'a fork is a pointer: its size does not follow the size of the state',
      'lineage is kept: the list of a fork continues into its base, under the ids of the base',
      'forks of forks read through all of them',
      'what is saved in a fork never shows in its base, nor the other way round',
      'an edit of an unknown channel is refused, and no run is made',
      'a missing source is a typed error with the id',
      'a fork under an id that is taken is refused',
      'deleting a run that forks stand on never breaks them, and the rest goes with the last',
      'fork gives a new run with the edits, labelled by where it came from; lineage is kept',
      'a fork is a pointer: its records do not follow the size of the state',
      'edits are validated, unknown channels refused, a missing source is a typed error with the id',
    ],
    mutants: fork,
  },
  {
    document: '002',
    name: 'the reducers',
    asked:
      'reducers: last write wins, append list (null: nothing, scalar: one item), append messages (same id replaces), merge map (shallow), max by timestamp (ties: incoming)',
    here: '`channel`, `list`, `messages`, `map`, `newest`',
    better: 'plus own reducers and `counter`',
    tests: ['reducers: $name'],
    mutants: reducers,
  },
  {
    document: '002',
    name: 'every store',
    asked: 'in memory only; "SQLite and Postgres land later"',
    here: 'memory, file, SQLite, Postgres',
    better: 'all four pass the same suite',
    note: 'Postgres is not there yet: three stores of four.',
    tests: [
      'every store gives the same answers to the same calls',
      'every store has everything again when it is opened again',
    ],
    mutants: everyStore,
  },
  {
    document: '002',
    name: 'list in order',
    asked: 'list in order',
    here: 'really in order',
    tests: ['list is really in order, whatever the order of the super-steps'],
    mutants: listInOrder,
  },
];
