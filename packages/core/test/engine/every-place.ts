import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, type EngineOptions, openEngine, type Store } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { memoryStore } from 'holdfast/testing';
import { describe, onTestFinished } from 'vitest';
import { postgresTestStore } from '../../src/testing/postgres/postgres-places.ts';

/** A store, and engines on it. */
export interface Place {
  readonly store: Store;
  /** Where its files are; undefined for a store that has none. */
  readonly folder: string | undefined;
  /** An engine on the test's store, closed when the test has ended. */
  readonly open: (options?: EngineOptions) => Promise<Engine>;
}

const kinds: readonly { readonly name: string; readonly isShared: boolean; readonly create: () => Place }[] = [
  { name: 'memory', isShared: true, create: memoryPlace },
  { name: 'file', isShared: false, create: () => onDisk((folder) => fileStore(join(folder, 'runs'))) },
  { name: 'sqlite', isShared: true, create: () => onDisk((folder) => sqliteStore(join(folder, 'runs.db'))) },
  { name: 'postgres', isShared: true, create: () => placeOn(postgresTestStore(onTestFinished)) },
];

function onDisk(create: (folder: string) => Store): Place {
  const folder = temporaryFolder();
  return placeOn(create(folder), folder);
}

/** A new folder, removed when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new, empty place of this kind. */
export function placeOn(store: Store, folder?: string): Place {
  return {
    store,
    folder,
    open: async (options) => {
      const engine = await openEngine(store, options);
      onTestFinished(() => engine.close());
      return engine;
    },
  };
}

/** A new, empty place in memory. */
export function memoryPlace(): Place {
  return placeOn(memoryStore());
}

/** How to make a new, empty store of each kind. */
export function storesOf(): readonly { readonly name: string; readonly create: () => Store }[] {
  return kinds.map(({ name, create }) => ({ name, create: () => create().store }));
}

/** Describes the same behaviour on every store. */
export function describeEverywhere(what: string, rows: (place: () => Place) => void): void {
  describe.each(kinds)(`${what} on $name`, ({ create }) => {
    rows(create);
  });
}

/** Describes the same behaviour on every store that several engines may have open at a time. */
export function describeShared(what: string, rows: (place: () => Place) => void): void {
  describe.each(kinds.filter(({ isShared }) => isShared))(`${what} on $name`, ({ create }) => {
    rows(create);
  });
}

/** All that an iterable gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Something that a test lets happen when it wants to. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const opening = new AbortController();
  const opened = new Promise<void>((resolve) => {
    opening.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return { opened, open: () => opening.abort() };
}

/** Resolves after some turns of the event loop: time for what is in flight to settle. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}
