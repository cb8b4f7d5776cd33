import type { ErrorCode, RunStatus } from 'holdfast';

/** The exit codes; docs/cli.md has the table. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130 | 143;

const notFound: ReadonlySet<string> = new Set<ErrorCode>([
  'HOLDFAST_NOT_FOUND',
  'HOLDFAST_UNKNOWN_QUESTION',
  'HOLDFAST_UNKNOWN_MESSAGE',
  'HOLDFAST_UNKNOWN_CHANNEL',
]);
const conflict: ReadonlySet<string> = new Set<ErrorCode>([
  'HOLDFAST_AMBIGUOUS',
  'HOLDFAST_ALREADY_ANSWERED',
  'HOLDFAST_CONFLICT',
  'HOLDFAST_RUN_LEASED',
  'HOLDFAST_ID_TAKEN',
  'HOLDFAST_LEASE_LOST',
  'HOLDFAST_INPUT_MISMATCH',
  'HOLDFAST_PENDING_EFFECT',
  'HOLDFAST_QUESTION_CLOSED',
  'HOLDFAST_RUN_ENDED',
  'HOLDFAST_STORE_LOCKED',
  'HOLDFAST_SUSPENDED',
  'HOLDFAST_VERSION',
]);
const usage: ReadonlySet<string> = new Set<ErrorCode>([
  'HOLDFAST_INVALID_CURSOR',
  'HOLDFAST_INVALID_GRAPH',
  'HOLDFAST_INVALID_ID',
  'HOLDFAST_INVALID_OPTION',
  'HOLDFAST_INVALID_VALUE',
]);

/** The exit code for an error code. */
export function exitCodeOfError(code: string): ExitCode {
  if (notFound.has(code)) return 4;
  if (conflict.has(code)) return 5;
  return usage.has(code) ? 2 : 1;
}

/** The exit code of a command that waited for a run. */
export function exitCodeOfRun(status: RunStatus): ExitCode {
  switch (status) {
    case 'completed':
      return 0;
    case 'failed':
    case 'cancelled':
      return 1;
    case 'pending':
    case 'running':
    case 'waiting':
    case 'suspended':
      return 3;
  }
}
