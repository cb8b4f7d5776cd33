/** What a path is, without following a symbolic link. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
}

/**
 * Calls of an open file that are made at once, while the process stands still: the shortest way for brief ones. They throw
 * what the others reject with.
 */
export interface CallsAtOnce {
  write(bytes: Uint8Array, position: number): void;
  sync(): void;
}

/** An open file. Nothing written is durable before a `sync` is done. */
export interface FileHandle {
  /** Writes all the bytes at the position; a short write is carried on until all are written or it fails. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Up to so many bytes from the position on; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** How long the file is now. */
  size(): Promise<number>;
  /** Cuts the file to this length. */
  truncate(length: number): Promise<void>;
  /** The data and the length are on stable storage when it resolves. */
  sync(): Promise<void>;
  /** Lets go of the file; what was not synced may still be lost. */
  close(): Promise<void>;
  /** `write` and `sync` without a thread. Left out where every call has to be waited for. */
  readonly atOnce?: CallsAtOnce | undefined;
}

/** The file system as the `file:` store uses it: few calls, each with one meaning in a crash. */
export interface Files {
  /** Creates a directory (mode 0700) in one that is there; it may be there already. */
  makeDirectory(path: string): Promise<void>;
  /** Creates a directory (mode 0700) and those above it that are missing. */
  makeDirectories(path: string): Promise<void>;
  /** The names in a directory, in no order. */
  list(path: string): Promise<readonly string[]>;
  /** Undefined when nothing is there. */
  info(path: string): Promise<FileInfo | undefined>;
  /**
   * `create` refuses a path that exists; a new file has mode 0600.
   *
   * @throws HOLDFAST_STORE_UNSAFE when the path is a symbolic link
   */
  open(path: string, how: 'read' | 'write' | 'create'): Promise<FileHandle>;
  /** The whole content of a file. @throws HOLDFAST_STORE_UNSAFE when the path is a symbolic link */
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
