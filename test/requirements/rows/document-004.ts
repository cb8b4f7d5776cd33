import type { Row } from '../mutant.ts';
import { savesAndIds, workflowCheckpoint } from '../mutants/checkpoints.ts';
import { resumeWithResults } from '../mutants/graph.ts';
import { storeErrors } from '../mutants/stores.ts';

/** The rows of document 004. */
export const workflowRows: readonly Row[] = [
  {
    document: '004',
    name: "a workflow's checkpoint",
    asked: '`WorkflowCheckpoint { run_id, workflow_name, step, next_node_id, scope_snapshot }`',
    here: '`checkpoints.save(run, { graph, superstep, next, state })`',
    better: 'history kept, not only the last',
    tests: [
      'a workflow checkpoint comes back as it was: run, workflow, super-step, next node and scope',
      'the history is kept, not only the last',
      'what cannot be saved is refused with its path, and nothing is written',
      'what a caller changes after saving is not saved',
      'a checkpoint with something unknown or of a wrong kind in it is refused',
    ],
    mutants: workflowCheckpoint,
  },
  {
    document: '004',
    name: 'save, load and delete; ids',
    asked: '`save` creates the directory, `load` of a missing run is nothing, `delete` of a missing run is fine',
    here: '`file:` store; `load`/`latest` undefined; `delete` false',
    better: 'atomic, synced, checksummed; `../x`, absolute, empty or NUL ids refused before any file is touched',
    tests: [
      'save creates the directory, and those above it',
      'loading from a run that is not there is nothing',
      'deleting a run takes all of it; deleting one that is not there is fine',
      'a byte that changed on the disk is found, and an older checkpoint is used',
      'an id that leads elsewhere makes no file',
      'the id %j is refused before anything is touched',
    ],
    mutants: savesAndIds,
  },
  {
    document: '004',
    name: 'resume with the whole state and every result',
    asked: 'resume at `next_node_id` with the scope',
    here: "the whole state and every finished step's result",
    better: 'loop counters and node outputs are not lost',
    tests: [
      'a run resumes with its whole state: counters and outputs are not lost',
      'a run resumes at its next node with its counters, and every finished step is given back, not done again',
    ],
    mutants: resumeWithResults,
  },
  {
    document: '004',
    name: 'errors of the store; stale writers',
    asked: 'I/O errors',
    here: 'typed; a permission error is an error, never "missing"',
    better: 'a stale writer is refused',
    tests: [
      'a store that may not be read is an error, never a missing run',
      'a place that cannot be used as a store is a typed error, never an empty store',
      'a stale writer is refused: two engines that save one id never both win',
      'a writer whose run was taken from it is refused',
    ],
    mutants: storeErrors,
  },
];
