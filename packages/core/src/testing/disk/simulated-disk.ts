import type { FileHandle, FileInfo, Files } from '../../env/files.ts';
import { seededRandom } from '../seeded-random.ts';
import { type CrashChoice, crashChoice } from './crash-choice.ts';
import { type DiskFaultPlan, type DiskOperation, type DiskOperationKind, systemError } from './disk-fault.ts';
import { type Change, type Node, SimulatedDirectory } from './simulated-directory.ts';
import { SimulatedFile } from './simulated-file.ts';

/** How a simulated disk behaves. */
export interface SimulatedDiskOptions {
  /** Of the order in which concurrent calls take effect, and of what a failed sync loses. */
  readonly seed?: number | undefined;
  readonly faults?: DiskFaultPlan | undefined;
  /** Told of every change and sync when it has taken effect, before its caller is: the moments at which a power cut differs. */
  readonly onChange?: ((operation: DiskOperation) => void) | undefined;
}

interface Call {
  readonly kind: DiskOperationKind;
  readonly path: string;
  readonly bytes?: number | undefined;
}

/** What a call that fails does all the same; a write has written so many bytes. */
type Failed = (written: number) => void;

/**
 * A call takes effect up to so many steps of the microtask queue after it was made, and is answered as late again, unless
 * it is one that is made at once.
 */
const mostDelay = 3;

/**
 * A disk in memory that forgets what was not synced: `afterCrash` gives what may be found after a power cut.
 *
 * It promises what POSIX does and no more. A file's sync covers its data and length and not its name; a directory's
 * covers the names in it and not the directory's own. Until then each sector of 512 bytes has any of the contents that
 * it has had since the last sync, the file any of its lengths, and of the changes of names any subset survives in which
 * none is without an earlier one of the same name. A move within a directory is atomic.
 */
export class SimulatedDisk implements Files {
  readonly #root: SimulatedDirectory;
  readonly #faults: DiskFaultPlan;
  readonly #onChange: (operation: DiskOperation) => void;
  readonly #random: () => number;
  #operations = 0;

  constructor(options: SimulatedDiskOptions = {}, root: SimulatedDirectory = new SimulatedDirectory()) {
    const { seed = 1, faults = () => undefined, onChange = () => {} } = options;
    this.#root = root;
    this.#faults = faults;
    this.#onChange = onChange;
    this.#random = seededRandom(seed);
  }

  /** A disk with these files, all synced; the directories are made. */
  static of(
    files: Iterable<readonly [path: string, bytes: Uint8Array]>,
    options: SimulatedDiskOptions = {},
  ): SimulatedDisk {
    const disk = new SimulatedDisk(options);
    for (const [path, bytes] of files) disk.put(path, bytes);
    return disk;
  }

  /** How many changes and syncs there have been. */
  get operations(): number {
    return this.#operations;
  }

  /** Whether a power cut now could lose anything. */
  get isDirty(): boolean {
    return [...reachable(this.#root)].some((node) => node.isDirty);
  }

  /** Another disk, as this one may be found after a power cut now. This one continues as if nothing had happened. */
  afterCrash(choice: CrashChoice, options: SimulatedDiskOptions = {}): SimulatedDisk {
    const survivors = new Set<Change>();
    for (const node of reachable(this.#root)) {
      if (node instanceof SimulatedDirectory) node.choose(choice, survivors);
    }
    const files = new Map<SimulatedFile, SimulatedFile>();
    const crash = (node: Node): Node => {
      if (node instanceof SimulatedDirectory) {
        const entries = [...node.afterCrash(survivors)].map(([name, each]) => [name, crash(each)] as const);
        return new SimulatedDirectory(new Map(entries));
      }
      const known = files.get(node) ?? node.afterCrash(choice);
      files.set(node, known);
      return known;
    };
    return new SimulatedDisk(options, crash(this.#root) as SimulatedDirectory);
  }

  /** Every file as it is seen now. */
  contents(): Map<string, Uint8Array> {
    return new Map([...filesOf(this.#root)].map(({ path, file }) => [path, file.read(0, file.size)]));
  }

  /** Puts a file there, synced, with what is missing above it: for tests that corruption a store. */
  put(path: string, bytes: Uint8Array): void {
    let directory = this.#root;
    const names = namesOf(path);
    for (const name of names.slice(0, -1)) {
      const known = directory.get(name) ?? new SimulatedDirectory();
      if (!(known instanceof SimulatedDirectory)) throw systemError('ENOTDIR', path);
      directory.link(name, known);
      directory.sync();
      directory = known;
    }
    directory.link(names.at(-1) as string, SimulatedFile.of(bytes));
    directory.sync();
  }

  async makeDirectory(path: string): Promise<void> {
    await this.#call({ kind: 'make-directory', path }, () => {
      const known = this.#find(path);
      if (known instanceof SimulatedFile) throw systemError('EEXIST', path);
      if (known === undefined) this.#parent(path).link(nameOf(path), new SimulatedDirectory());
    });
  }

  async makeDirectories(path: string): Promise<void> {
    await this.#call({ kind: 'make-directory', path }, () => {
      let directory = this.#root;
      for (const name of namesOf(path)) {
        const known = directory.get(name);
        if (known instanceof SimulatedFile) throw systemError(name === nameOf(path) ? 'EEXIST' : 'ENOTDIR', path);
        const next = known ?? new SimulatedDirectory();
        if (known === undefined) directory.link(name, next);
        directory = next;
      }
    });
  }

  async list(path: string): Promise<readonly string[]> {
    return this.#call({ kind: 'read', path }, () => this.#directory(path).names);
  }

  async info(path: string): Promise<FileInfo | undefined> {
    return this.#call({ kind: 'read', path }, () => {
      const node = this.#find(path);
      if (node === undefined) return undefined;
      if (node instanceof SimulatedDirectory) return { type: 'directory', size: 4_096, mode: 0o700 };
      return { type: 'file', size: node.size, mode: 0o600 };
    });
  }

  async open(path: string, how: 'read' | 'write' | 'create'): Promise<FileHandle> {
    return this.#call({ kind: how === 'create' ? 'create' : 'open', path }, () => {
      const known = this.#find(path);
      if (how === 'create') {
        if (known !== undefined) throw systemError('EEXIST', path);
        const file = SimulatedFile.empty();
        this.#parent(path).link(nameOf(path), file);
        return this.#handle(path, file, how);
      }
      return this.#handle(path, this.#file(path), how);
    });
  }

  async readAll(path: string): Promise<Uint8Array> {
    return this.#call({ kind: 'read', path }, () => {
      const file = this.#file(path);
      return file.read(0, file.size);
    });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#call({ kind: 'rename', path: from }, () => {
      const node = this.#find(from);
      if (node === undefined) throw systemError('ENOENT', from);
      const over = this.#find(to);
      if (over === node) return;
      if (over instanceof SimulatedDirectory) {
        if (node instanceof SimulatedFile) throw systemError('EISDIR', to);
        if (over.names.length > 0) throw systemError('ENOTEMPTY', to);
      } else if (over !== undefined && node instanceof SimulatedDirectory) {
        throw systemError('ENOTDIR', to);
      }
      this.#parent(from).move(nameOf(from), { directory: this.#parent(to), name: nameOf(to) });
    });
  }

  async remove(path: string): Promise<void> {
    await this.#call({ kind: 'remove', path }, () => {
      this.#file(path);
      this.#parent(path).unlink(nameOf(path));
    });
  }

  async removeDirectory(path: string): Promise<void> {
    await this.#call({ kind: 'remove-directory', path }, () => {
      if (this.#directory(path).names.length > 0) throw systemError('ENOTEMPTY', path);
      this.#parent(path).unlink(nameOf(path));
    });
  }

  async syncDirectory(path: string): Promise<void> {
    const failed = (): void => this.#directory(path).failSync(crashChoice('anything', this.#random));
    await this.#call({ kind: 'sync-directory', path }, () => this.#directory(path).sync(), failed);
  }

  #handle(path: string, file: SimulatedFile, how: 'read' | 'write' | 'create'): FileHandle {
    let closed = false;
    const checkOpen = ({ kind }: Call): void => {
      const writes = kind === 'write' || kind === 'truncate';
      if (closed || (writes && how === 'read')) throw systemError('EBADF', path);
    };
    const use = async <T>(call: Call, effect: () => T, failed?: Failed): Promise<T> => {
      checkOpen(call);
      return this.#call(call, effect, failed);
    };
    const useAtOnce = <T>(call: Call, effect: () => T, failed: Failed): T => {
      checkOpen(call);
      return this.#carryOut(call, effect, failed);
    };
    // The bytes are taken at once: a caller that reuses its buffer would otherwise write something else.
    const writeOf = (bytes: Uint8Array, position: number): [Call, () => void, Failed] => {
      const taken = Uint8Array.from(bytes);
      const short = (written: number): void => file.write(taken.subarray(0, written), position);
      return [{ kind: 'write', path, bytes: taken.length }, () => file.write(taken, position), short];
    };
    const failSync = (): void => file.failSync(crashChoice('anything', this.#random));
    const syncOf = (): [Call, () => void, Failed] => [{ kind: 'sync', path }, () => file.sync(), failSync];
    return {
      write: (bytes, position) => use(...writeOf(bytes, position)),
      read: (position, length) => use({ kind: 'read', path }, () => file.read(position, length)),
      size: () => use({ kind: 'read', path }, () => file.size),
      truncate: (length) => use({ kind: 'truncate', path }, () => file.truncate(length)),
      sync: () => use(...syncOf()),
      atOnce: {
        write: (bytes, position) => useAtOnce(...writeOf(bytes, position)),
        sync: () => useAtOnce(...syncOf()),
      },
      close: async () => {
        closed = true;
      },
    };
  }

  async #call<T>(call: Call, effect: () => T, failed?: Failed): Promise<T> {
    await this.#delay();
    try {
      return this.#carryOut(call, effect, failed);
    } finally {
      await this.#delay();
    }
  }

  #carryOut<T>(call: Call, effect: () => T, failed?: Failed): T {
    const isChange = call.kind !== 'read' && call.kind !== 'open';
    const operation = { ...call, index: this.#operations };
    const fault = this.#faults(operation);
    if (isChange) this.#operations += 1;
    try {
      if (fault === undefined) return effect();
      failed?.(fault.written ?? 0);
      throw systemError(fault.code, call.path);
    } finally {
      if (isChange) this.#onChange(operation);
    }
  }

  async #delay(): Promise<void> {
    for (let left = Math.floor(this.#random() * (mostDelay + 1)); left > 0; left -= 1) await Promise.resolve();
  }

  #find(path: string): Node | undefined {
    let node: Node = this.#root;
    for (const name of namesOf(path)) {
      if (!(node instanceof SimulatedDirectory)) return undefined;
      const next = node.get(name);
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  #directory(path: string): SimulatedDirectory {
    const node = this.#find(path);
    if (node instanceof SimulatedDirectory) return node;
    throw systemError(node === undefined ? 'ENOENT' : 'ENOTDIR', path);
  }

  #file(path: string): SimulatedFile {
    const node = this.#find(path);
    if (node instanceof SimulatedFile) return node;
    throw systemError(node === undefined ? 'ENOENT' : 'EISDIR', path);
  }

  #parent(path: string): SimulatedDirectory {
    return this.#directory(namesOf(path).slice(0, -1).join('/'));
  }
}

/** The directory and every node in it that is there or may be there again after a power cut. */
function reachable(root: SimulatedDirectory): ReadonlySet<Node> {
  const found = new Set<Node>([root]);
  for (const node of found) {
    if (node instanceof SimulatedDirectory) for (const each of node.nodes) found.add(each);
  }
  return found;
}

function* filesOf(directory: SimulatedDirectory, path = ''): Generator<{ path: string; file: SimulatedFile }> {
  for (const name of directory.names) {
    const node = directory.get(name);
    if (node instanceof SimulatedFile) yield { path: `${path}/${name}`, file: node };
    else if (node !== undefined) yield* filesOf(node, `${path}/${name}`);
  }
}

/** Few paths are asked for, and those again and again. */
const namesByPath = new Map<string, readonly string[]>();
const mostPaths = 10_000;

function namesOf(path: string): readonly string[] {
  const known = namesByPath.get(path);
  if (known !== undefined) return known;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (namesByPath.size === mostPaths) namesByPath.clear();
  namesByPath.set(path, names);
  return names;
}

function nameOf(path: string): string {
  return namesOf(path).at(-1) ?? '';
}
