import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';

/** Where in a database something is corrupt. */
export interface CorruptPlace {
  /** Default: the database as a whole. */
  readonly table?: string | undefined;
  readonly runId?: string | undefined;
  readonly seq?: number | undefined;
}

/** Says where something is not as it was written. */
export function corrupt({ table, runId, seq }: CorruptPlace, what: string, cause?: unknown): HoldfastError {
  const of = runId === undefined ? '' : ` of ${seq === undefined ? runId : `${runId}@${seq}`}`;
  const where = table === undefined ? 'the database file' : `table ${table}${of}`;
  return holdfastError(
    'HOLDFAST_CORRUPT',
    `The store is corrupt in ${where}: ${what}. Run verify to see what else is corrupt, and restore it from a backup.`,
    { details: { where, table, runId, seq }, ...(cause === undefined ? {} : { cause }) },
  );
}
