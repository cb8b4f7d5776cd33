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

/** Calls that only look; a disk can fail them as well. */
const looking: ReadonlySet<string> = new Set(['pread64', 'getdents64']);

/** Calls that never reach a disk: a process can die at them. */
const inMemory: ReadonlySet<string> = new Set(['fcntl', 'mmap']);

/** All the calls that are traced and broken. */
export const brokenCalls: readonly string[] = [...changing, ...looking, ...inMemory];

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
  const boundaries: Boundary[] = [];
  let phase: Phase = 'opening';
  for (const line of trace.split('\n')) {
    phase = phaseAfter(line) ?? phase;
    const [, thread = '', syscall = '', rest = ''] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    const path = pathsIn(rest).find((each) => each === directory || each.startsWith(`${directory}/`));
    if (path === undefined || !brokenCalls.includes(syscall)) continue;
    const n = (counts.get(`${thread} ${syscall}`) ?? 0) + 1;
    counts.set(`${thread} ${syscall}`, n);
    boundaries.push({ syscall, n, phase, path });
  }
  return boundaries;
}

/** The same, with those first that tell most mutants: the writes and syncs of commits, in turn. */
export function mostTelling(boundaries: readonly Boundary[]): readonly Boundary[] {
  const isTelling = ({ phase, syscall }: Boundary): boolean =>
    phase === 'commit' && ['pwrite64', 'fsync', 'fdatasync'].includes(syscall);
  const telling = boundaries.filter(isTelling).toSorted((left, right) => left.n - right.n);
  return [...telling, ...boundaries.filter((boundary) => !isTelling(boundary))];
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
