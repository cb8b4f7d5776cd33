import type { Row } from '../mutant.ts';
import {
  builder,
  everySuperstep,
  finalState,
  limit,
  missing,
  outcome,
  outputs,
  resumeAndHistory,
} from '../mutants/graph.ts';

/** The rows of document 003. */
export const graphRows: readonly Row[] = [
  {
    document: '003',
    name: 'the builder',
    asked: 'builder: nodes, entry, edges, conditional edges, compile',
    here: '`graph().node().edge().route().compile()`',
    better: 'every problem at compile time, together',
    tests: [
      'builder: nodes, an entry, edges and conditional edges are compiled and executed',
      'builder: every problem is told at compile time, together',
    ],
    mutants: builder,
  },
  {
    document: '003',
    name: 'what a node gives',
    asked: 'node outputs: finish, continue, continue to, route',
    here: "update, `goto(target)`, `goto('end')`",
    better: 'targets are declared and checked before anything runs',
    tests: [
      'node outputs: an update continues, goto(target) routes, goto("end") finishes',
      'node outputs: a target that was not declared is refused before anything runs',
    ],
    mutants: outputs,
  },
  {
    document: '003',
    name: 'the outcome',
    asked: '`Completed(state)`, `Interrupted { checkpoint, reason }`',
    here: '`Outcome`',
    better: 'interrupted is real: resume carries an answer',
    tests: ['outcome: completed with the state, or waiting; and resuming carries the answer'],
    mutants: outcome,
  },
  {
    document: '003',
    name: 'start, resume, fork, history',
    asked: '`invoke`, `resume`, `resume_from(checkpoint)`, `history(limit)`',
    here: '`start`, `resume`, `fork({ at })`, `history`',
    better: 'resuming from an old checkpoint is a new run: branches never interleave',
    tests: [
      'invoke, then resume: an interrupted run continues where it stood, in another engine too',
      'resume from an old checkpoint is a run of its own: branches never interleave',
      'history: newest first, limited',
    ],
    mutants: resumeAndHistory,
  },
  {
    document: '003',
    name: 'a checkpoint every super-step',
    asked: 'checkpoint every node',
    here: 'every super-step, always',
    better: 'no option to lose data by default',
    tests: ['a checkpoint every super-step, always'],
    mutants: everySuperstep,
  },
  {
    document: '003',
    name: 'the limit of super-steps',
    asked: 'iteration limit: saves, then errors',
    here: '`maxSupersteps`',
    better: 'counts over the whole life, finishing on exactly the limit is finishing',
    tests: [
      'iteration limit: what was done is saved, then it is an error, and a higher limit continues from there',
      'iteration limit: it counts over the whole life, restarts included',
      'iteration limit: finishing on exactly the limit is finishing',
    ],
    mutants: limit,
  },
  {
    document: '003',
    name: 'what is missing',
    asked: 'missing checkpoint, missing node: errors',
    here: 'typed errors with the id',
    tests: ['missing run, missing checkpoint, missing node: typed errors with the id'],
    mutants: missing,
  },
  {
    document: '003',
    name: 'the final state',
    asked: 'final state not saved; completed run re-runs its last node on resume',
    here: 'final state saved; resuming a completed run executes nothing',
    tests: ['the final state is saved', 'resuming a completed run executes nothing'],
    mutants: finalState,
  },
];
