/** What the store asked of the disk. */
export type DiskOperationKind =
  | 'create'
  | 'open'
  | 'read'
  | 'write'
  | 'truncate'
  | 'sync'
  | 'rename'
  | 'remove'
  | 'make-directory'
  | 'remove-directory'
  | 'sync-directory';

/** One call of the simulated disk, in the order in which they take effect. */
export interface DiskOperation {
  readonly index: number;
  readonly kind: DiskOperationKind;
  readonly path: string;
  /** Of a write. */
  readonly bytes?: number | undefined;
}

/** How a call of the simulated disk fails. */
export interface DiskFault {
  readonly code: 'ENOSPC' | 'EIO';
  /** A write that fails has written so many bytes before. A sync that fails loses dirty data, whatever is said here. */
  readonly written?: number | undefined;
}

/** Says how a call fails; undefined: not at all. */
export type DiskFaultPlan = (operation: DiskOperation) => DiskFault | undefined;

/** An error as Node gives it. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, '${path}'`), { code, path });
}
