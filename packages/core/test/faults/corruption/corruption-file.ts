import type { CheckedStore } from '../../../src/store/checked-store.ts';
import { blank, withoutRoom } from '../../../src/store/file/segment/segment-room.ts';
import { commit, create, externalWriteOf, note, ownerOf, snapshotOf } from '../../../src/testing/contract/given.ts';
import type { Mutant } from '../mutant/mutant.ts';
import {
  type CorruptFile,
  cutEnds,
  emptiedEnds,
  flippedBits,
  type StoreFile,
  shuffledLines,
  zerosAfter,
} from './corrupt-copies.ts';
import { WholeStore } from './file-store.ts';
import { CorruptionTally } from './judge-corruption.ts';

/** How thoroughly to corruption, and what. */
export interface CorruptionOptions {
  readonly mutant?: Mutant | undefined;
  /** Corruptions every so many bytes; 1 is all of them. */
  readonly stride?: number | undefined;
  /** Which bits of a byte are flipped; by default all. */
  readonly bits?: readonly number[] | undefined;
  /** Told what is tried before it is: a case that never ends is known by it. */
  readonly onCase?: ((what: string) => void) | undefined;
}

interface JudgeAllOptions {
  readonly store: WholeStore;
  readonly tally: CorruptionTally;
  readonly corrupt: Iterable<CorruptFile>;
  readonly onCase: CorruptionOptions['onCase'];
}

const none = new Uint8Array();

async function judgeAll({ store, tally, corrupt, onCase }: JudgeAllOptions): Promise<void> {
  for (const { path, bytes, what } of corrupt) {
    if (store.isShown(tally)) return;
    onCase?.(what);
    tally.add(what, await store.judge((disk) => disk.put(path, bytes)));
  }
}

/**
 * A mutant of a small file is shown by few of its bytes: most flips make it something that no store is, which is found
 * without a checksum.
 */
function strideOf({ path }: StoreFile): number {
  return path.includes('/runs/') ? Number.POSITIVE_INFINITY : smallStride;
}

const smallStride = 11;

/** Flips bits of every file of a complete store, closed and killed: none may go unnoticed. */
export async function flipFileBits({
  mutant,
  stride = 1,
  bits,
  onCase,
}: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['refused', 'found', 'unchanged']);
  for (const end of ['closed', 'killed'] as const) {
    const store = await WholeStore.make({ mutant, end });
    for (const [at, file] of store.files().entries()) {
      const step = mutant === undefined ? stride : Math.min(stride, strideOf(file));
      const corrupt = flippedBits(file, { stride: step, bits, offset: at % step });
      await judgeAll({ store, tally, corrupt, onCase });
    }
  }
  return tally;
}

/** Drops, doubles and swaps lines. What is gone of the last commit of a journal looks like one that was never finished. */
export async function shuffleFileLines({ mutant, onCase }: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['refused', 'found', 'unchanged']);
  const store = await WholeStore.make({ mutant, end: 'killed' });
  for (const file of store.files()) {
    const kept = endOfLastButOne(file);
    const written = withoutRoomOf(file);
    const corrupt = [...shuffledLines(written)].filter(({ bytes }) => !isCutIn(written.bytes, bytes, kept));
    await judgeAll({ store, tally, corrupt, onCase });
  }
  return tally;
}

/** Swaps any two journals and any two snapshots: each file is good, and in the wrong place. */
export async function swapFiles({ mutant, onCase }: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['refused', 'found']);
  const store = await WholeStore.make({ mutant, end: 'killed' });
  const files = store.files().filter(({ path }) => path.includes('/runs/'));
  for (const [at, one] of files.entries()) {
    for (const other of files.slice(at + 1).filter((each) => isJournal(each) === isJournal(one))) {
      const what = `${one.path} swapped with ${other.path}`;
      onCase?.(what);
      const judgement = await store.judge((disk) => {
        disk.put(one.path, other.bytes);
        disk.put(other.path, one.bytes);
      });
      tally.add(what, judgement);
    }
    if (store.isShown(tally)) break;
  }
  return tally;
}

/** The ways in which a journal can end: what each leaves torn. */
const lastOperations: Readonly<Record<string, (store: CheckedStore) => Promise<void>>> = {
  'a commit of one record': (store) => commit(store, externalWriteOf('engine', { expect: 6, entries: [note('last')] })),
  'a commit of several records with a snapshot': (store) =>
    commit(
      store,
      ownerOf('engine', { fence: 1, expect: 6, entries: [note('x'), note('y'), note('z')], snapshot: snapshotOf(9) }),
    ),
  'a new run': (store) => create(store, 'last', { entries: [note('first'), note('second')] }),
  'a release': async (store) => {
    await store.claim({ type: 'release', worker: 'worker', runIds: ['engine'] });
  },
};

/** Cuts the last commit at every byte, and puts zeros or room in its place from every byte on: all are torn, and mended. */
export async function tearFileEnds({ mutant, stride = 1, onCase }: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['mended']);
  for (const last of Object.values(lastOperations)) {
    const before = await WholeStore.make({ mutant, end: 'killed' });
    const store = await WholeStore.make({ mutant, end: 'killed', last });
    const { file, from } = grownFile(before, store);
    const written = withoutRoomOf(file);
    const corrupt = [
      ...cutEnds(written, from + 1),
      ...emptiedEnds(written, { from, byte: 0 }),
      ...emptiedEnds(written, { from: from + 1, byte: blank }),
    ];
    await judgeAll({ store, tally, corrupt: corrupt.filter((_, at) => at % stride === 0), onCase });
  }
  return tally;
}

/** Puts zeros after the end of every journal: nothing is lost by cutting them off. */
export async function appendFileZeros({ mutant, onCase }: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['unchanged']);
  const store = await WholeStore.make({ mutant, end: 'killed' });
  const journals = store.files().filter(isJournal);
  // What stands after a journal that another one follows was never at the end of the data.
  const isLast = ({ path }: StoreFile): boolean =>
    !journals.some((other) => other.path > path && isBeside(other.path, path));
  for (const file of journals.filter(isLast)) {
    await judgeAll({ store, tally, corrupt: zerosAfter(file), onCase });
  }
  return tally;
}

/** Takes whole commits off the end: the one thing that a file store cannot see. */
export async function dropFileCommits({ mutant, onCase }: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['lost']);
  const last = lastOperations['a commit of one record'];
  const before = await WholeStore.make({ mutant, end: 'killed' });
  const store = await WholeStore.make({ mutant, end: 'killed', last });
  const { file, from } = grownFile(before, store);
  const corrupt = [
    { path: file.path, bytes: file.bytes.slice(0, from), what: `${file.path}: its last commit dropped` },
  ];
  await judgeAll({ store, tally, corrupt, onCase });
  return tally;
}

/** The journal that the last operation made longer, and where the last commit begins in it. */
function grownFile(before: WholeStore, after: WholeStore): { readonly file: StoreFile; readonly from: number } {
  const known = before.disk.contents();
  const endBefore = ({ path }: StoreFile): number =>
    withoutRoomOf({ path, bytes: known.get(path) ?? none }).bytes.length;
  const [file] = after.files().filter((each) => isJournal(each) && withoutRoomOf(each).bytes.length > endBefore(each));
  if (file === undefined) throw new Error('The last operation has changed no journal.');
  return { file, from: endBefore(file) };
}

/** The file as long as what was written to it. */
function withoutRoomOf({ path, bytes }: StoreFile): StoreFile {
  return { path, bytes: isJournal({ path, bytes }) ? withoutRoom(Buffer.from(bytes)) : bytes };
}

function isBeside(path: string, other: string): boolean {
  return path.slice(0, path.lastIndexOf('/')) === other.slice(0, other.lastIndexOf('/'));
}

function isJournal({ path }: StoreFile): boolean {
  return path.endsWith('.jsonl');
}

/** Where the last commit of a journal begins; the end of any other file. */
function endOfLastButOne(file: StoreFile): number {
  if (!isJournal(file)) return file.bytes.length;
  const lines = Buffer.from(file.bytes).toString('latin1').trimEnd();
  const { from } = JSON.parse(lines.slice(lines.lastIndexOf('\n') + 1)) as { readonly from: number };
  return from;
}

/** Whether all that is changed is that the end is shorter, from somewhere in the last commit on. */
function isCutIn(original: Uint8Array, corrupt: Uint8Array, from: number): boolean {
  return corrupt.length >= from && Buffer.compare(original.subarray(0, corrupt.length), corrupt) === 0;
}
