/** What a path is, without following a symbolic link. */
export interface FileInfo {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
}

/** An open file. Nothing written is durable before `sync` has resolved. */
export interface FileHandle {
  /** Writes all the bytes at the position; a short write is carried on until all are written or it fails. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  read(position: number, length: number): Promise<Uint8Array>;
  size(): Promise<number>;
  truncate(length: number): Promise<void>;
  /** The data and the length are on stable storage when it resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file system as the `file:` store uses it: few calls, each with one meaning in a crash. */
export interface Files {
  /** Creates a directory (mode 0700) and those above it that are missing. */
  makeDirectory(path: string): Promise<void>;
  list(path: string): Promise<readonly string[]>;
  /** Undefined when nothing is there. */
  info(path: string): Promise<FileInfo | undefined>;
  /** `create` refuses a path that exists; a new file has mode 0600. */
  open(path: string, how: 'read' | 'write' | 'create'): Promise<FileHandle>;
  readAll(path: string): Promise<Uint8Array>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  /** Makes creations, renames and removals in the directory durable. */
  syncDirectory(path: string): Promise<void>;
}
