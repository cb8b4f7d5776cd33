/** What happens to a system call: the process dies before it, or it is not carried out and fails. */
export type SyscallFault = 'KILL' | 'EIO' | 'EIO and die' | 'ENOSPC';

/** Where in the script a call was made. */
type Phase = 'opening' | 'commit' | 'trim' | 'between' | 'closing';

/** One call of the script that touches the store: the n-th of its name. */
export interface Boundary {
  readonly syscall: string;
  readonly n: number;
  readonly phase: Phase;
  readonly path: string;
  /** The how many-th of its name on its file it is. */
  readonly nOfPath: number;
  /** Its place among all calls of the script. */
  readonly at: number;
  /** Whether the script's own thread makes it, and not one of the pool. */
  readonly isMain: boolean;
}

/** Calls that change something; a disk that is full can only fail these. */
const changing: ReadonlySet<string> = new Set([
  'openat',
  'write',
  'pwrite64',
  'pwritev',
  'fsync',
  'fdatasync',
  'ftruncate',
  'rename',
  'renameat2',
  'mkdir',
  'unlink',
  'rmdir',
]);

/** Calls that only look, or that change nothing of what is kept; a disk can fail them as well. */
const looking: ReadonlySet<string> = new Set([
  'pread64',
  'getdents64',
  'stat',
  'lstat',
  'fstat',
  'newfstatat',
  'statx',
  'close',
  'fchown',
]);

/** Calls that never reach a disk: a process can die at them. */
const inMemory: ReadonlySet<string> = new Set(['fcntl', 'mmap']);

/** All the calls that are traced and broken. */
const brokenCalls: readonly string[] = [...changing, ...looking, ...inMemory];

/** The same for strace: a machine may lack some of them. */
export const tracedCalls: string = brokenCalls.map((name) => `?${name}`).join();

/** The faults that a call can meet. */
export function faultsOf({ syscall }: Boundary): readonly SyscallFault[] {
  if (inMemory.has(syscall)) return ['KILL'];
  return changing.has(syscall) ? ['KILL', 'EIO', 'EIO and die', 'ENOSPC'] : ['KILL', 'EIO'];
}

/**
 * Reads the boundaries from the trace of a run that nothing was done to. The script's own lines, which are writes to
 * its output, tell where it was.
 */
export function readBoundaries(trace: string, directory: string): readonly Boundary[] {
  const counts = new Map<string, number>();
  const count = (name: string): number => {
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    return n;
  };
  const boundaries: Boundary[] = [];
  let phase: Phase = 'opening';
  // The process begins with it.
  const main = /^\d+/.exec(trace)?.[0];
  for (const line of trace.split('\n')) {
    phase = phaseAfter(line) ?? phase;
    const [, thread = '', syscall = '', rest = ''] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    const path = pathsIn(rest).find((each) => each === directory || each.startsWith(`${directory}/`));
    if (path === undefined || !brokenCalls.includes(syscall)) continue;
    const n = count(`${thread} ${syscall}`);
    const nOfPath = count(`${thread} ${syscall} ${path}`);
    boundaries.push({ syscall, n, nOfPath, phase, path, at: boundaries.length, isMain: thread === main });
  }
  return boundaries;
}

/** The same, with those first that tell most mutants: the writes and syncs of commits, in turn. */
export function mostTelling<T extends { readonly boundary: Boundary }>(tries: readonly T[]): readonly T[] {
  const isTelling = ({ boundary: { phase, syscall } }: T): boolean =>
    phase === 'commit' && ['pwrite64', 'fsync', 'fdatasync'].includes(syscall);
  const telling = tries.filter(isTelling).toSorted((left, right) => left.boundary.n - right.boundary.n);
  return [...telling, ...tries.filter((each) => !isTelling(each))];
}

/** Every path of the store that the trace names. */
export function readPaths(trace: string, directory: string): readonly string[] {
  const found = new Set([directory]);
  for (const path of pathsIn(trace)) if (path.startsWith(`${directory}/`)) found.add(path.replace(/\(deleted\)$/, ''));
  return [...found];
}

/** Paths stand in quotation marks, or in angle brackets after a descriptor. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/["<](\/[^">]*)[">]/g)].map(([, path = '']) => path);
}

const lines: readonly (readonly [RegExp, Phase])[] = [
  [/"type\\":\\"open\\"/, 'between'],
  [/"type\\":\\"group-start\\"/, 'commit'],
  [/"type\\":\\"group-end\\"/, 'between'],
  [/"type\\":\\"(?:trim|remove)-start\\"/, 'trim'],
  [/"type\\":\\"(?:trim|remove)\\"/, 'between'],
  [/"type\\":\\"closing\\"/, 'closing'],
];

function phaseAfter(line: string): Phase | undefined {
  if (!/ write\(1</.test(line)) return undefined;
  return lines.find(([pattern]) => pattern.test(line))?.[1];
}
