import type { Env } from '../../../env/env.ts';
import { HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import { openOnlyLine, sealLine } from '../../../value/sealed-line.ts';
import { corrupt, hasCode, isMissing } from '../errors.ts';
import { pathInside } from '../folder/names.ts';
import { removeFolder } from '../folder/remove-folder.ts';
import { isOtherBoot, type Machine, type ProcessName } from './machine.ts';

/** Who holds a store for writing. */
interface Holder extends ProcessName {
  /** When it was opened, for people. */
  readonly since: string;
  /** Tells the openings of one process apart. */
  readonly id: string;
}

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
/** More openings than that at one moment are somebody's mistake. */
const mostTries = 20;

/**
 * The lock of a store: the newest of the folders `lock-000001`, `lock-000002` … says who may write.
 *
 * To take it, a process makes a folder of its own, with its name in it, and renames it to the number after the newest
 * one: that fails when another was faster, because no folder that holds something is renamed over. It does so only when
 * the holder has let go or is dead, and then looks once more: whoever comes late with a number that has been passed
 * finds a newer one, and goes. The newest folder is never removed, so that no number is ever given twice.
 */
export class StoreLock {
  readonly #options: LockOptions;
  readonly #number: number;
  readonly #id: string;
  /** Whether the one who held it before did so before the machine was started. */
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
    throw holdfastError('HOLDFAST_STORE_LOCKED', `Several processes try to open the store ${root} for writing.`, {
      details: { dir: root },
    });
  }

  /**
   * Lets go. The folder stays: the next one takes the number after it. A rename needs no space, so that a full disk does
   * not keep anybody from it. Whoever was given the number since somebody removed the lock by hand keeps it.
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

  /** Makes the lock durable and looks once more whether it is the newest; one that came late is taken away again. */
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

  /** Clears away the locks before, and what dead processes were about to take. */
  async #clearOthers(): Promise<void> {
    const { env, root, machine } = this.#options;
    for (const name of await env.files.list(root)) {
      if (numberOf(name) > 0 && numberOf(name) < this.#number) await removeLock(env, pathInside(root, name));
      if (!draftPattern.test(name)) continue;
      // One that says nothing yet may be a living process's.
      const draft = await readHolder(env, pathInside(root, name), holderFile).catch(() => undefined);
      if (draft !== undefined && !machine.mayLive(draft)) await removeLock(env, pathInside(root, name));
    }
  }
}

/**
 * The locks that this process has let go of and could not say so, because the disk failed or the store was moved: it must
 * not lock itself out for ever.
 */
const releasedHere = new Set<string>();

/** All of it is durable before it gets its name: after a power cut a lock is there whole or not at all. */
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

/** The last holder, who has let go or is dead; undefined when he is not known any more. */
async function freeHolder({ env, root, machine }: LockOptions, number: number): Promise<Holder | undefined> {
  const path = pathInside(root, lockName(number));
  // In this order: one becomes the other.
  const held = await readHolder(env, path, holderFile);
  const isReleased = (await env.files.info(pathInside(path, releasedFile))) !== undefined;
  if (isReleased) return held ?? readHolder(env, path, releasedFile);
  if (held !== undefined && (releasedHere.has(held.id) || !machine.mayLive(held))) return held;
  // Not the newest any more: whoever took the next number is about to clear it away, or has done so.
  if ((await newestLock(env, root)) !== number) return undefined;
  throw held === undefined ? unknownHolder(number) : locked(root, path, held);
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
    `The store ${root} is open for writing in process ${pid} on ${host} since ${since}, and a file: store has one writer. Close it there, or use sqlite: for several processes. If that process is gone, remove ${path}.`,
    { details: { dir: root, pid, host, since } },
  );
}

/** Undefined when the file is not there or does not say it: earlier versions left `released` empty. */
async function readHolder({ files }: Env, path: string, name: string): Promise<Holder | undefined> {
  try {
    const open = openOnlyLine(holderPlace, await files.readAll(pathInside(path, name)));
    return open === undefined ? undefined : (JSON.parse(`${open}}`) as Holder);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function newestLock({ files }: Env, root: string): Promise<number> {
  return Math.max(0, ...(await files.list(root)).map(numberOf));
}

/** One that stays because something else is in it, or because it is none of ours, is nothing: its number has been passed. */
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

/** 0 for a name that is no lock's. */
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
