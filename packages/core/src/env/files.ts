/** The type, size and mode of a path. Symbolic links are not followed. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
  /** Whether it belongs to somebody other than the user of this process or root; default false. */
  readonly isForeign?: boolean | undefined;
}

/**
 * Synchronous calls on an open file, which are the fastest for small writes. They throw the errors that their
 * asynchronous counterparts reject with.
 */
export interface CallsAtOnce {
  write(bytes: Uint8Array, position: number): void;
  sync(): void;
}

/** An open file. Writes are durable only after a `sync`. */
export interface FileHandle {
  /** Writes all bytes at the position. Continues after a short write until everything is written or it fails. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Reads up to `length` bytes from the position; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** The current length of the file. */
  size(): Promise<number>;
  /** Truncates the file to this length. */
  truncate(length: number): Promise<void>;
  /** Resolves when the data and the length are on stable storage. */
  sync(): Promise<void>;
  /** Closes the file. Data that was not synced may still be lost. */
  close(): Promise<void>;
  /** Synchronous `write` and `sync`. Absent if every call must be asynchronous. */
  readonly atOnce?: CallsAtOnce | undefined;
}

/** The file system calls that the `file:` store uses. Each has defined behaviour in a crash. */
export interface Files {
  /** Creates a directory (mode 0700) in an existing one, unless it already exists. */
  makeDirectory(path: string): Promise<void>;
  /** Creates a directory (mode 0700) and its missing parents. */
  makeDirectories(path: string): Promise<void>;
  /** The names in a directory, in no particular order. */
  list(path: string): Promise<readonly string[]>;
  /** Undefined if the path does not exist. */
  info(path: string): Promise<FileInfo | undefined>;
  /**
   * `create` fails if the path exists. A new file has mode 0600.
   *
   * @throws HOLDFAST_STORE_UNSAFE if the path is not a plain file (a link, a pipe, a directory), belongs to another user,
   * can be written by everyone, or is longer than any file of a store
   */
  open(path: string, how: 'read' | 'write' | 'create'): Promise<FileHandle>;
  /** Reads a whole file. @throws HOLDFAST_STORE_UNSAFE as `open` does */
  readAll(path: string): Promise<Uint8Array>;
  /** Renames a file or directory, atomically replacing an existing file. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. */
  remove(path: string): Promise<void>;
  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<void>;
  /** Makes creations, renames and removals in the directory durable. */
  syncDirectory(path: string): Promise<void>;
}
