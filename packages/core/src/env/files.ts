/** What a path is, without following a symbolic link. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
}

/**
 * How a call is waited for. `block`: it is made at once and the process stands still meanwhile, which is the shortest way
 * for a brief one. By default a thread makes it, and the process goes on.
 */
export type Waiting = 'block' | 'yield';

/** An open file. Nothing written is durable before `sync` has resolved. */
export interface FileHandle {
  /** Writes all the bytes at the position; a short write is carried on until all are written or it fails. */
  write(bytes: Uint8Array, position: number, waiting?: Waiting): Promise<void>;
  /** Up to so many bytes from the position on; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** How long the file is now. */
  size(): Promise<number>;
  /** Cuts the file to this length. */
  truncate(length: number): Promise<void>;
  /** The data and the length are on stable storage when it resolves. */
  sync(waiting?: Waiting): Promise<void>;
  /** Lets go of the file; what was not synced may still be lost. */
  close(): Promise<void>;
}

/** The file system as the `file:` store uses it: few calls, each with one meaning in a crash. */
export interface Files {
  /** Creates a directory (mode 0700) and those above it that are missing. */
  makeDirectory(path: string): Promise<void>;
  /** The names in a directory, in no order. */
  list(path: string): Promise<readonly string[]>;
  /** Undefined when nothing is there. */
  info(path: string): Promise<FileInfo | undefined>;
  /** `create` refuses a path that exists; a new file has mode 0600. */
  open(path: string, how: 'read' | 'write' | 'create'): Promise<FileHandle>;
  /** The whole content of a file. */
  readAll(path: string): Promise<Uint8Array>;
  /** Gives a file or directory another name, replacing a file of that name at once. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. */
  remove(path: string): Promise<void>;
  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<void>;
  /** Makes creations, renames and removals in the directory durable. */
  syncDirectory(path: string): Promise<void>;
}
