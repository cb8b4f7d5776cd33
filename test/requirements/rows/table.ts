import type { Mutant, Row } from '../mutant.ts';
import { agentRows } from './document-000.ts';
import { checkpointRows } from './document-001.ts';
import { channelRows } from './document-002.ts';
import { graphRows } from './document-003.ts';
import { workflowRows } from './document-004.ts';

/** What each document is about. */
export const documents: Readonly<Record<string, string>> = {
  '000': "an agent's state survives its shutdown",
  '001': 'the journal is the truth, a checkpoint covers a prefix of it',
  '002': 'channels, reducers, one checkpoint per super-step',
  '003': 'a graph runner that checkpoints, is interrupted and resumes',
  '004': "a workflow's checkpoint on the file system",
};

/** Every row of the five documents. */
export const table: readonly Row[] = [...agentRows, ...checkpointRows, ...channelRows, ...graphRows, ...workflowRows];

/** A mutant, its row and the name that it goes by. */
export interface NamedMutant {
  readonly name: string;
  readonly row: Row;
  readonly mutant: Mutant;
}

/** Every mutant of these rows: `001/prune/1` is the first one of the row "prune" of document 001. */
export function mutantsOf(rows: readonly Row[]): readonly NamedMutant[] {
  return rows.flatMap((row) =>
    row.mutants.map((mutant, index) => ({ name: `${row.document}/${row.name}/${index + 1}`, row, mutant })),
  );
}
