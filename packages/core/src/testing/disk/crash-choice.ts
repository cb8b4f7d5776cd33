/** What of the changes that were not synced is found after a power cut. */
export interface CrashChoice {
  /** Which version of a sector: 0 is what was synced, then each later one in turn up to the number given. */
  readonly version: (versions: number) => number;
  /** Which length of a file: of those that it has had since the sync, or one on the way between two of them. */
  readonly size: (sizes: readonly number[]) => number;
  /** Which of a directory's changes, in their order: true keeps one. One that needs another that is lost is lost too. */
  readonly entries: (changes: number) => readonly boolean[];
}

type Random = () => number;

const none: CrashChoice = {
  version: () => 0,
  size: (sizes) => sizes[0] as number,
  entries: (changes) => Array.from({ length: changes }, () => false),
};

const all: CrashChoice = {
  version: (versions) => versions,
  size: (sizes) => sizes.at(-1) as number,
  entries: (changes) => Array.from({ length: changes }, () => true),
};

/** A way in which a power cut may choose what survives; each is a kind of accident that some file system allows. */
export type CrashWay =
  | 'nothing'
  | 'everything'
  | 'names without data'
  | 'lengths without data'
  | 'data without names'
  | 'some sectors'
  | 'most sectors'
  | 'a prefix of the names'
  | 'some names'
  | 'anything';

const ways: Readonly<Record<CrashWay, (random: Random) => CrashChoice>> = {
  /** Nothing was written back. */
  nothing: () => none,
  /** All was: what a killed process leaves. */
  everything: () => all,
  /** Names survive, what is in the files does not: a rename without the data of its file. */
  'names without data': () => ({ ...none, entries: all.entries }),
  /** Files have their new length and old content: zeros where there was none. */
  'lengths without data': () => ({ ...none, size: all.size, entries: all.entries }),
  /** Data survives, names do not. */
  'data without names': () => ({ ...all, entries: none.entries }),
  /** Sectors survive each by itself, with the newest length. */
  'some sectors': (random) => ({ ...all, version: anyOf(random) }),
  /** All sectors but a few. */
  'most sectors': (random) => ({
    ...all,
    version: (versions) => (random() < 0.2 ? anyOf(random)(versions) : versions),
  }),
  /** Directory changes survive up to a point, files as they please. */
  'a prefix of the names': (random) => ({ ...anything(random), entries: prefix(random) }),
  /** Each change of a directory survives or not by itself, with all the data. */
  'some names': (random) => ({ ...all, entries: subset(random) }),
  anything,
};

/** All of the ways, the mildest first. */
export const crashWays: readonly CrashWay[] = Object.keys(ways) as CrashWay[];

/** A choice of that way; the same numbers make the same choice. */
export function crashChoice(way: CrashWay, random: Random): CrashChoice {
  return ways[way](random);
}

function anything(random: Random): CrashChoice {
  return { version: anyOf(random), size: anySize(random), entries: subset(random) };
}

function anyOf(random: Random): (versions: number) => number {
  return (versions) => Math.floor(random() * (versions + 1));
}

/** A write may have been in flight: any byte between two lengths is possible, though whole lengths are likelier. */
function anySize(random: Random): (sizes: readonly number[]) => number {
  return (sizes) => {
    const at = Math.floor(random() * sizes.length);
    const size = sizes[at] as number;
    const next = sizes[at + 1];
    if (next === undefined || random() < 0.5) return size;
    return size + Math.floor(random() * (next - size));
  };
}

function subset(random: Random): (changes: number) => readonly boolean[] {
  return (changes) => Array.from({ length: changes }, () => random() < 0.5);
}

function prefix(random: Random): (changes: number) => readonly boolean[] {
  return (changes) => {
    const kept = Math.floor(random() * (changes + 1));
    return Array.from({ length: changes }, (_, at) => at < kept);
  };
}
