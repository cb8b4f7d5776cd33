import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { type Fault, reason, storeFault } from '../store-fault.ts';

/** What kept a store from being opened or used. */
export type PostgresProblem =
  | 'unreachable'
  | 'password'
  | 'rights'
  | 'read-only'
  | 'encoding'
  | 'missing'
  | 'timeout'
  | 'pool'
  | 'pooler'
  | 'server'
  | 'full';

interface ServerError extends Error {
  /** SQLSTATE, or the code of a system call. */
  readonly code?: string | undefined;
  readonly severity?: string | undefined;
}

/** SQLSTATEs that mean something to us. Classes have two characters. */
const problems: readonly (readonly [code: string, problem: PostgresProblem])[] = [
  ['28', 'password'],
  ['42501', 'rights'],
  ['25006', 'read-only'],
  ['3D000', 'missing'],
  ['3F000', 'missing'],
  ['42P01', 'missing'],
  ['57014', 'timeout'],
  ['53100', 'full'],
  ['53300', 'pool'],
  // A prepared statement that another connection has, and this one has not, or the other way round.
  ['26000', 'pooler'],
  ['42P05', 'pooler'],
  ['08', 'unreachable'],
  ['57P', 'unreachable'],
];

/** Classes and codes of faults that pass: a lost connection, a restart, a failover, a deadlock, too much load. */
const transientCodes = ['08', '57P', '53300', '40001', '40P01', '55P03', '57014', '25006', '25P03'];

/** Whether an error came from the server as the answer to a statement, which then had no effect. */
function isAnswer({ severity }: ServerError): boolean {
  // FATAL and PANIC end the connection, perhaps after the statement was committed.
  return severity === 'ERROR';
}

/** The problem that an error means. Undefined for one that says nothing to a person. */
export function problemOf(error: unknown): PostgresProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', severity, message } = error as ServerError;
  if (message.includes('timeout exceeded when trying to connect')) return 'pool';
  if (severity === undefined) return 'unreachable';
  return problems.find(([start]) => code.startsWith(start))?.[1];
}

/** The fault that an error of a statement describes. */
export function statementFault(error: unknown): HoldfastError {
  if (HoldfastError.is(error)) return error;
  const { code = '' } = error as ServerError;
  // Whatever ended the session, a new one may do better.
  const isTransient = !isAnswer(error as ServerError) || transientCodes.some((start) => code.startsWith(start));
  return fault({ effect: isAnswer(error as ServerError) ? 'none' : 'unknown', transient: isTransient, cause: error });
}

/** Whether the server answered a statement with an error, and is ready for the next one. */
export function isRefusedByServer(error: unknown): boolean {
  return HoldfastError.is(error, 'HOLDFAST_STORE_FAILED') && isAnswer((error.cause ?? {}) as ServerError);
}

/** The fault of a connection that could not be had: nothing was sent. */
export function connectionFault(error: unknown): HoldfastError {
  if (HoldfastError.is(error)) return error;
  const problem = problemOf(error);
  return fault({ effect: 'none', transient: problem !== 'password' && problem !== 'missing', cause: error });
}

/** The server committed with a warning, so that nobody knows whether a standby has it. */
export function warningFault(): HoldfastError {
  return fault({ effect: 'unknown', transient: true, cause: new Error('the server committed with a warning') });
}

function fault(described: Fault): HoldfastError {
  const problem = problemOf(described.cause);
  return storeFault(problem === undefined ? described : { ...described, problem, advice: advice[problem] });
}

const advice: Readonly<Record<PostgresProblem, string>> = {
  unreachable: 'Is the server running, and is the address right?',
  password: 'Check the user and the password.',
  rights:
    'Let a user who may create tables run: holdfast migrate --store URL. Programs then need SELECT, INSERT, UPDATE and DELETE on the tables.',
  'read-only': 'It is a standby, or read-only. Name the primary, or name all servers: postgres://a,b/database.',
  encoding: 'Create a database with the encoding UTF8.',
  missing: 'Check the names of the database and the schema.',
  timeout: 'Raise statement_timeout for this user, or find out what the server is waiting for.',
  pool: 'Every connection is in use. Allow more connections, or use a larger pool.',
  pooler:
    'A pooler in transaction mode is in between: add ?named=false to the address, or named: false to postgresStore.',
  server: 'Use Postgres 12 or newer; 15 and 18 are tested.',
  full: 'Make room on the disk of the server.',
};

interface OpenFailure {
  readonly problem: PostgresProblem;
  readonly what: string;
  readonly cause?: unknown;
}

/** The error for a store that cannot be opened. */
export function unavailable({ problem, what, cause }: OpenFailure): HoldfastError {
  return holdfastError(
    'HOLDFAST_STORE_UNAVAILABLE',
    `The Postgres store cannot be opened: ${what}. ${advice[problem]}`,
    {
      details: { problem },
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/** Says why a store could not be opened. */
export function openFailure(error: unknown): HoldfastError {
  const cause = HoldfastError.is(error, 'HOLDFAST_STORE_FAILED') ? error.cause : error;
  if (HoldfastError.is(cause)) return cause;
  return unavailable({ problem: problemOf(cause) ?? 'unreachable', what: reason(cause), cause });
}
