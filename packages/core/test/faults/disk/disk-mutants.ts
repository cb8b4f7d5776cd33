import type { Files } from '../../../src/env/files.ts';
import { blank, withoutRoom } from '../../../src/store/file/segment/segment-room.ts';
import { deaf } from '../mutant/files-mutants.ts';
import type { Mutant, PromiseName } from '../mutant/mutant.ts';
import { brokenFiles, brokenJournals, kindOf, misreadFiles, unsynced, unsyncedDirectory } from './broken-files.ts';
import type { TroubleKind } from './trouble.ts';

interface NewMutant extends Partial<Pick<Mutant, 'caughtBy' | 'shownBy'>> {
  readonly name: string;
  readonly does: string;
  readonly breaks: PromiseName;
  readonly files: (files: Files) => Files;
  /** Shows only when a call of this kind fails, or the process is killed. */
  readonly fault?: TroubleKind | undefined;
  /** The workload that shows it, where that is not the first; the slice begins there. */
  readonly seed?: number | undefined;
}

/** A mutant that a crash on the simulated disk must show. */
export type DiskMutant = Mutant & Pick<NewMutant, 'fault' | 'seed'>;

const newline = 0x0a;
const space = 0x20;
const draft = '.tmp';

/** Ways to use a disk that only a power cut, or a failing disk, shows to be wrong. */
const mutants: readonly NewMutant[] = [
  {
    name: 'journal-unsynced',
    does: 'syncs everything but the journal',
    breaks: 'P1',
    files: (files) => unsynced(files, (path) => kindOf(path) === 'journal'),
  },
  {
    name: 'sync-every-other',
    does: 'syncs the journal only every other time',
    breaks: 'P1',
    files: (files) => {
      let syncs = 0;
      return brokenFiles(files, {
        handle: (handle, { path }) => {
          const isSkipped = (): boolean => kindOf(path) === 'journal' && (syncs += 1) % 2 === 0;
          return {
            sync: async () => (isSkipped() ? undefined : handle.sync()),
            atOnce: { sync: () => (isSkipped() ? undefined : handle.atOnce?.sync()) },
          };
        },
      });
    },
  },
  {
    name: 'lone-unsynced',
    does: 'syncs the journal only when a thread does it, and not at once',
    breaks: 'P1',
    files: (files) => brokenFiles(files, { handle: () => ({ atOnce: { sync: () => {} } }) }),
  },
  {
    name: 'lone-sync-error-ignored',
    does: 'takes a failed sync for a done one if it was made at once',
    breaks: 'P7',
    fault: 'sync',
    caughtBy: ['disk', 'syscall'],
    shownBy: 'EIO and die',
    seed: 17,
    files: (files) =>
      brokenFiles(files, { handle: (handle) => ({ atOnce: { sync: () => deaf(() => handle.atOnce?.sync()) } }) }),
  },
  {
    name: 'snapshot-unsynced',
    does: 'renames a snapshot into place without having synced it',
    breaks: 'P6',
    files: (files) => unsynced(files, (path) => kindOf(path) === 'draft' && path.includes('/snapshot-')),
  },
  {
    name: 'marker-unsynced',
    does: 'does not sync the file that says what the directory is',
    breaks: 'P6',
    files: (files) => unsynced(files, (path) => path.includes('/holdfast.json')),
  },
  {
    name: 'leases-unsynced',
    does: 'does not sync the leases of the workers',
    breaks: 'P6',
    files: (files) => unsynced(files, (path) => path.includes('/leases.json')),
  },
  {
    name: 'lock-unsynced',
    does: 'does not sync the name of who holds the lock',
    breaks: 'P6',
    files: (files) => unsynced(files, (path) => path.endsWith('/holder.json')),
  },
  {
    name: 'index-kept',
    does: 'leaves the index of a clean close in place while it keeps writing',
    breaks: 'P1',
    files: (files) =>
      brokenFiles(files, {
        calls: { remove: async (path) => (path.endsWith('/index.jsonl') ? undefined : files.remove(path)) },
      }),
  },
  {
    name: 'leases-in-place',
    does: 'writes the leases over the old ones instead of beside them',
    breaks: 'P6',
    files: inPlace,
  },
  {
    name: 'snapshot-after-commit',
    does: 'gives a snapshot its name only after the commit that names it',
    breaks: 'P2',
    files: snapshotAfterCommit,
  },
  {
    name: 'folder-unsynced',
    does: 'does not sync the directory of all runs when a run is created',
    breaks: 'P1',
    files: (files) => unsyncedDirectory(files, (path) => path.endsWith('/runs')),
  },
  {
    name: 'run-unsynced',
    does: 'does not sync the directory of a run when a file in it is created or renamed',
    breaks: 'P1',
    files: (files) => unsyncedDirectory(files, (path) => /\/runs\/[^/]+$/.test(path)),
  },
  {
    name: 'root-unsynced',
    does: 'does not sync the directories that a store is made in',
    breaks: 'P1',
    files: (files) => unsyncedDirectory(files, (path) => !path.includes('/runs')),
  },
  {
    name: 'torn-not-cut',
    does: 'leaves a torn end where it is and writes over it',
    breaks: 'P6',
    files: (files) => brokenFiles(files, { handle: () => ({ truncate: async () => {} }) }),
    seed: 3,
  },
  {
    name: 'repair-unsynced',
    does: 'does not sync the cutting of a torn or failed end before the next commit is written there',
    breaks: 'P6',
    fault: 'write',
    seed: 112,
    files: repairUnsynced,
  },
  {
    name: 'torn-is-corruption',
    does: 'takes lost sectors and a missing end of the last commit for corruption',
    breaks: 'P6',
    files: (files) => misreadFiles(files, (bytes, path) => (kindOf(path) === 'journal' ? withoutTears(bytes) : bytes)),
  },
  {
    name: 'lost-room-is-corruption',
    does: 'takes sectors that still are room, in the middle of the last commit, for corruption',
    breaks: 'P6',
    files: (files) => misreadFiles(files, (bytes, path) => (kindOf(path) === 'journal' ? withSpaces(bytes) : bytes)),
    seed: 10,
  },
  {
    name: 'sync-error-ignored',
    does: 'takes a failed sync of the journal for a done one',
    breaks: 'P7',
    fault: 'sync',
    caughtBy: ['disk', 'syscall'],
    shownBy: 'EIO',
    files: (files) =>
      brokenJournals(files, (handle) => ({
        sync: () => handle.sync().catch(() => {}),
        atOnce: { sync: () => deaf(() => handle.atOnce?.sync()) },
      })),
  },
  {
    name: 'retry-sync',
    does: 'tries a failed sync of the journal again and believes the second one',
    breaks: 'P7',
    fault: 'sync',
    files: (files) =>
      brokenJournals(files, (handle) => ({
        sync: () => handle.sync().catch(() => handle.sync()),
        atOnce: { sync: () => twice(() => handle.atOnce?.sync()) },
      })),
  },
  {
    name: 'settle-unsynced',
    does: 'takes for durable what a killed process has left',
    breaks: 'P1',
    fault: 'kill',
    seed: 3,
    files: settleUnsynced,
  },
  {
    name: 'undo-missing',
    does: 'cuts nothing off when a write has failed',
    breaks: 'full-disk',
    fault: 'write',
    seed: 119,
    files: (files) => {
      let failed = false;
      return brokenFiles(files, {
        handle: (handle) => ({
          write: async (bytes, position) => {
            failed = false;
            await handle.write(bytes, position).catch((error: unknown) => {
              failed = true;
              throw error;
            });
          },
          atOnce: {
            write: (bytes, position) => {
              failed = true;
              handle.atOnce?.write(bytes, position);
              failed = false;
            },
          },
          truncate: async (length) => (failed ? undefined : handle.truncate(length)),
        }),
      });
    },
  },
];

/** The mutants that a crash on the simulated disk must show. */
export const diskMutants: readonly DiskMutant[] = mutants.map((mutant) => ({
  caughtBy: ['disk'],
  ...mutant,
  stores: ['file'],
}));

/** Makes a call that fails once more. */
function twice(call: () => void): void {
  try {
    call();
  } catch {
    call();
  }
}

/** Where a draft of the leases would go. */
function placeOf(path: string): string {
  return path.endsWith(`/leases.json${draft}`) ? path.slice(0, -draft.length) : path;
}

function inPlace(files: Files): Files {
  return brokenFiles(files, {
    calls: {
      open: async (path, how) => files.open(placeOf(path), how),
      remove: async (path) => files.remove(placeOf(path)),
      rename: async (from, to) => (placeOf(from) === to ? undefined : files.rename(from, to)),
    },
  });
}

function snapshotAfterCommit(files: Files): Files {
  const late: (() => Promise<void>)[] = [];
  const catchUp = async (): Promise<void> => {
    for (const rename of late.splice(0)) await rename().catch(() => {});
  };
  return brokenFiles(files, {
    handle: (handle, { path }) => ({
      sync: async () => {
        await handle.sync();
        if (kindOf(path) === 'journal') await catchUp();
      },
      // What it puts off cannot be done at once.
      atOnce: undefined,
    }),
    calls: {
      rename: async (from, to) => {
        if (kindOf(to) !== 'snapshot') return files.rename(from, to);
        late.push(async () => {
          await files.rename(from, to);
          await files.syncDirectory(to.slice(0, to.lastIndexOf('/')));
        });
      },
    },
  });
}

function repairUnsynced(files: Files): Files {
  return brokenFiles(files, {
    handle: (handle, { path }) => {
      let cut = false;
      return {
        truncate: async (length) => {
          cut = kindOf(path) === 'journal';
          await handle.truncate(length);
        },
        sync: async () => {
          if (!cut) await handle.sync();
          cut = false;
        },
      };
    },
  });
}

/** What is rewritten at an opening is known by the zero at its end. */
function settleUnsynced(files: Files): Files {
  return brokenFiles(files, {
    handle: (handle) => {
      let settles = false;
      return {
        write: async (bytes, position) => {
          settles = bytes.at(-1) === 0;
          await handle.write(bytes, position);
        },
        sync: async () => (settles ? undefined : handle.sync()),
      };
    },
  });
}

/** Zeros become spaces and a last line gets its end: what was torn looks as if it had been written so. */
function withoutTears(bytes: Uint8Array): Uint8Array {
  const whole = Uint8Array.from(withoutRoom(Buffer.from(bytes)), (byte) => (byte === 0 ? space : byte));
  return whole.length === 0 || whole.at(-1) === newline ? whole : Uint8Array.from([...whole, newline]);
}

/** The room after the last commit is left as it is. */
function withSpaces(bytes: Uint8Array): Uint8Array {
  const { length } = withoutRoom(Buffer.from(bytes));
  return bytes.map((byte, at) => (at < length && byte === blank ? space : byte));
}
