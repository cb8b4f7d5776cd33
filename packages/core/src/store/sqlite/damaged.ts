import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';

/** A place in the database, as a person would look for it. */
export interface DamagedPlace {
  /** Left out where only SQLite knows. */
  readonly table?: string | undefined;
  readonly run?: string | undefined;
  readonly seq?: number | undefined;
}

/** Says where something is not as it was written. */
export function damaged({ table, run, seq }: DamagedPlace, what: string, cause?: unknown): HoldfastError {
  const of = run === undefined ? '' : ` of ${seq === undefined ? run : `${run}@${seq}`}`;
  const where = table === undefined ? 'the database file' : `table ${table}${of}`;
  return holdfastError(
    'HOLDFAST_DAMAGED',
    `The store is damaged in ${where}: ${what}. Run verify to see what else is damaged, and restore it from a backup.`,
    { details: { where, table, run, seq }, ...(cause === undefined ? {} : { cause }) },
  );
}
