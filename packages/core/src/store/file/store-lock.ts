import type { Env } from '../../env/env.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { openOnlyLine, sealLine } from '../../value/sealed-line.ts';
import { damaged } from './damage.ts';
import type { Machine, ProcessName } from './machine.ts';
import { pathInside } from './names.ts';
import { hasCode, isMissing } from './system-error.ts';
import { removeFolder } from './tidy-run.ts';

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

interface TakenLock {
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

  private constructor(options: LockOptions, taken: TakenLock) {
    this.#options = options;
    this.#number = taken.number;
    this.#id = taken.holder.id;
    const { before, holder } = taken;
    this.isFirstSinceBoot = typeof before?.boot === 'string' && before.boot !== holder.boot && holder.boot !== null;
  }

  /** Takes the lock. @throws HOLDFAST_STORE_LOCKED, HOLDFAST_DAMAGED */
  static async take(options: LockOptions): Promise<StoreLock> {
    const { env, root, machine } = options;
    const id = randomHex(env, 16);
    const draft = pathInside(root, `lock-${id}.tmp`);
    const holder: Holder = { ...machine.self(), since: new Date(env.clock.now()).toISOString(), id };
    await writeDraft(env, draft, holder);
    try {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const newest = await newestLock(env, root);
        const before = newest > 0 ? await freeHolder(options, newest) : undefined;
        if (!(await claim(options, draft, newest + 1))) continue;
        const lock = new StoreLock(options, { number: newest + 1, holder, before });
        if (await lock.#confirm()) return lock;
        await writeDraft(env, draft, holder);
      }
    } finally {
      await removeFolder(env, draft).catch(() => {});
    }
    throw holdfastError('HOLDFAST_STORE_LOCKED', `Several processes try to open the store ${root} for writing.`, {
      details: { dir: root },
    });
  }

  /** Lets go. The folder stays: the next one takes the number after it. */
  async release(): Promise<void> {
    const { env, root } = this.#options;
    try {
      const handle = await env.files.open(pathInside(root, lockName(this.#number), releasedFile), 'create');
      await handle.close();
    } catch (error) {
      letGo.add(`${root} ${this.#id}`);
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
      const draft = await readHolder(env, pathInside(root, name)).catch(() => undefined);
      if (draft !== undefined && !machine.mayLive(draft)) await removeLock(env, pathInside(root, name));
    }
  }
}

/** What this process has let go of and could not say so, because the disk failed: it must not lock itself out for ever. */
const letGo = new Set<string>();

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
  const isReleased = (await env.files.info(pathInside(path, releasedFile))) !== undefined;
  const holder = await readHolder(env, path);
  if (isReleased) return holder;
  if (holder === undefined) {
    // Cleared away a moment ago by whoever took the next number; or, where it is still the newest, damaged.
    if ((await newestLock(env, root)) !== number) return undefined;
    throw damaged('it does not say which process writes to the store', { file: `${lockName(number)}/${holderFile}` });
  }
  if (letGo.has(`${root} ${holder.id}`) || !machine.mayLive(holder)) return holder;
  const { pid, host, since } = holder;
  throw holdfastError(
    'HOLDFAST_STORE_LOCKED',
    `The store ${root} is open for writing in process ${pid} on ${host} since ${since}, and a file: store has one writer. Close it there, or use sqlite: for several processes. If that process is gone, remove ${path}.`,
    { details: { dir: root, pid, host, since } },
  );
}

async function readHolder({ files }: Env, path: string): Promise<Holder | undefined> {
  try {
    const open = openOnlyLine(holderPlace, await files.readAll(pathInside(path, holderFile)));
    return open === undefined ? undefined : (JSON.parse(`${open}}`) as Holder);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function newestLock({ files }: Env, root: string): Promise<number> {
  return Math.max(0, ...(await files.list(root)).map(numberOf));
}

async function removeLock(env: Env, path: string): Promise<void> {
  await removeFolder(env, path).catch((error: unknown) => {
    if (!isMissing(error) && !hasCode(error, 'ENOTEMPTY')) throw error;
  });
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
