import type { Env } from '../../../env/env.ts';
import { isOtherBoot, type Machine, type ProcessName } from '../../../env/machine.ts';
import { HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { isCount, isText, objectOf } from '../../../value/data-shape.ts';
import { openOnlyLine, sealLine } from '../../../value/hash/sealed-line.ts';
import { storedJson } from '../../stored-json.ts';
import { corrupt, hasCode, isMissing } from '../errors.ts';
import { pathInside } from '../folder/names.ts';
import { removeFolder } from '../folder/remove-folder.ts';
import { checkFolderInside } from '../folder/store-directory.ts';

/** The process that has the store open for writing. */
interface Holder extends ProcessName {
  /** When it was opened, for people. */
  readonly since: string;
  /** Tells the openings of one process apart. */
  readonly id: string;
}

const isHolder = objectOf({ pid: isCount, host: isText, since: isText, id: isText });

interface LockOptions {
  readonly env: Env;
  readonly root: string;
  readonly machine: Machine;
}

interface AcquiredLock {
  readonly number: number;
  readonly holder: Holder;
  readonly before: Holder | undefined;
}

const lockPattern = /^lock-(\d{6,15})$/;
const holderFile = 'holder.json';
const releasedFile = 'released';
const draftPattern = /^lock-[0-9a-f]{16}\.tmp$/;
const holderPlace = 'lock ';
/** More processes than this opening the store at the same moment are a mistake. */
const mostTries = 20;

/**
 * The lock of a store: the newest of the folders `lock-000001`, `lock-000002` … names the process that may write.
 *
 * To acquire it, a process creates a folder that names itself and renames it to the number after the newest one. That fails
 * if another process was faster, because a rename never replaces a folder that is not empty. It does so only if the
 * holder released the lock or is dead, and then checks again: a late process with a number that was passed finds a newer
 * one and gives up. The newest folder is never removed, so no number is used twice.
 */
export class StoreLock {
  readonly #options: LockOptions;
  readonly #number: number;
  readonly #id: string;
  /** Whether the previous holder acquired it before the machine booted. */
  readonly isFirstSinceBoot: boolean;

  private constructor(options: LockOptions, acquired: AcquiredLock) {
    this.#options = options;
    this.#number = acquired.number;
    this.#id = acquired.holder.id;
    const { before, holder } = acquired;
    this.isFirstSinceBoot = before !== undefined && isOtherBoot(before, holder);
  }

  /** Acquires the lock. @throws HOLDFAST_STORE_LOCKED, HOLDFAST_CORRUPT */
  static async acquire(options: LockOptions): Promise<StoreLock> {
    const { env, root, machine } = options;
    const id = randomHex(env, 16);
    const draft = pathInside(root, `lock-${id}.tmp`);
    const holder: Holder = { ...machine.self(), since: new Date(env.clock.now()).toISOString(), id };
    try {
      await writeDraft(env, draft, holder);
      for (let tries = 0; tries < mostTries; tries += 1) {
        const newest = await newestLock(env, root);
        const before = newest > 0 ? await freeHolder(options, newest) : undefined;
        if (!(await claim(options, draft, newest + 1))) continue;
        const lock = new StoreLock(options, { number: newest + 1, holder, before });
        if (await lock.#confirm()) return lock;
        await writeDraft(env, draft, holder);
      }
    } finally {
      await removeLock(env, draft).catch(() => {});
    }
    throw holdfastError(
      'HOLDFAST_STORE_LOCKED',
      `Several processes are trying to open the store ${root} for writing. Open it in one of them.`,
      {
        details: { dir: root },
      },
    );
  }

  /**
   * Releases the lock. The folder stays: the next holder uses the number after it. A rename needs no space, so it works on
   * a full disk. If someone removed the lock by hand and another process has the number now, that one keeps it.
   */
  async release(): Promise<void> {
    const { env, root } = this.#options;
    const path = pathInside(root, lockName(this.#number));
    try {
      const isThere = (await readHolder(env, path, holderFile))?.id === this.#id;
      if (isThere) await env.files.rename(pathInside(path, holderFile), pathInside(path, releasedFile));
      else releasedHere.add(this.#id);
    } catch (error) {
      releasedHere.add(this.#id);
      throw error;
    }
  }

  /** Makes the lock durable and checks again that it is the newest; one that came late is removed. */
  async #confirm(): Promise<boolean> {
    const { env, root } = this.#options;
    try {
      await env.files.syncDirectory(root);
      const isNewest = (await newestLock(env, root)) === this.#number;
      await (isNewest ? this.#clearOthers() : removeLock(env, pathInside(root, lockName(this.#number))));
      return isNewest;
    } catch (error) {
      await this.release().catch(() => {});
      throw error;
    }
  }

  /** Removes earlier locks, and the drafts of dead processes. */
  async #clearOthers(): Promise<void> {
    const { env, root, machine } = this.#options;
    for (const name of await env.files.list(root)) {
      if (numberOf(name) > 0 && numberOf(name) < this.#number) await removeLock(env, pathInside(root, name));
      if (!draftPattern.test(name)) continue;
      // A draft that is still empty may be a living process's.
      const draft = await readHolder(env, pathInside(root, name), holderFile).catch(() => undefined);
      if (draft !== undefined && !machine.mayLive(draft)) await removeLock(env, pathInside(root, name));
    }
  }
}

/**
 * Locks that this process released but could not mark as released, because the disk failed or the store was moved: it must
 * not lock itself out for ever.
 */
const releasedHere = new Set<string>();

/** Everything is durable before the rename, so a power cut leaves a lock whole or not at all. */
async function writeDraft({ files }: Env, draft: string, holder: Holder): Promise<void> {
  await files.makeDirectory(draft);
  const handle = await files.open(pathInside(draft, holderFile), 'create');
  try {
    await handle.write(Buffer.from(sealLine(holderPlace, JSON.stringify(holder).slice(0, -1))), 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await files.syncDirectory(draft);
}

async function claim({ env, root }: LockOptions, draft: string, number: number): Promise<boolean> {
  try {
    await env.files.rename(draft, pathInside(root, lockName(number)));
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false;
    throw error;
  }
}

/** The last holder, which released the lock or is dead; undefined when it is no longer known. */
async function freeHolder({ env, root, machine }: LockOptions, number: number): Promise<Holder | undefined> {
  const path = pathInside(root, lockName(number));
  await checkFolderInside(env.files, path);
  // In this order: a release renames one to the other.
  const holder = await readHolder(env, path, holderFile);
  const isReleased = (await env.files.info(pathInside(path, releasedFile))) !== undefined;
  if (isReleased) return holder ?? readHolder(env, path, releasedFile);
  if (holder !== undefined && (releasedHere.has(holder.id) || !machine.mayLive(holder))) return holder;
  // No longer the newest: the process with the next number removes it.
  if ((await newestLock(env, root)) !== number) return undefined;
  throw holder === undefined ? unknownHolder(number) : locked(root, path, holder);
}

function unknownHolder(number: number): Error {
  const name = lockName(number);
  return corrupt(
    'it does not say which process writes to the store',
    { file: `${name}/${holderFile}` },
    `If no process has the store open, remove ${name}.`,
  );
}

function locked(root: string, path: string, { pid, host, since }: Holder): Error {
  return holdfastError(
    'HOLDFAST_STORE_LOCKED',
    `The store ${root} has been open for writing in process ${pid} on ${host} since ${since}, and a file: store has one writer. Close it there, or use sqlite: for several processes. If that process is gone, remove ${path}.`,
    { details: { dir: root, pid, host, since } },
  );
}

/** Undefined when the file does not exist or is not valid. */
async function readHolder({ files }: Env, path: string, name: string): Promise<Holder | undefined> {
  try {
    const open = openOnlyLine(holderPlace, await files.readAll(pathInside(path, name)));
    return open === undefined ? undefined : (storedJson(`${open}}`, isHolder) as Holder | undefined);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function newestLock({ files }: Env, root: string): Promise<number> {
  return Math.max(0, ...(await files.list(root)).map(numberOf));
}

/** A lock that stays because it contains something else, or is not ours, is harmless: its number was passed. */
async function removeLock({ files }: Env, path: string): Promise<void> {
  await removeFolder(files, path, isLockFile).catch((error: unknown) => {
    const stays = hasCode(error, 'ENOTEMPTY', 'EEXIST') || HoldfastError.is(error, 'HOLDFAST_STORE_UNSAFE');
    if (!stays && !isMissing(error)) throw error;
  });
}

function isLockFile(name: string): boolean {
  return name === holderFile || name === releasedFile;
}

function lockName(number: number): string {
  return `lock-${String(number).padStart(6, '0')}`;
}

/** 0 for a name that is not a lock's. */
function numberOf(name: string): number {
  return Number(lockPattern.exec(name)?.[1] ?? 0);
}

/** Random hexadecimal digits. */
export function randomHex({ random }: Env, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
}

/** Whether a name in the store's directory is a lock's, or becomes one. */
export function isLockName(name: string): boolean {
  return lockPattern.test(name) || draftPattern.test(name);
}
