import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, type EngineOptions, open, type Store } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { memoryStore } from 'holdfast/testing';
import { describe, onTestFinished } from 'vitest';

/** A store, and engines on it. */
export interface Place {
  /** An engine on the test's store, closed when the test has ended. */
  readonly open: (options?: EngineOptions) => Promise<Engine>;
}

const kinds: readonly { readonly name: string; readonly create: () => Store }[] = [
  { name: 'memory', create: memoryStore },
  { name: 'file', create: () => fileStore(join(temporaryFolder(), 'runs')) },
  { name: 'sqlite', create: () => sqliteStore(join(temporaryFolder(), 'runs.db')) },
];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new, empty place of this kind. */
export function placeOn(store: Store): Place {
  return {
    open: async (options) => {
      const engine = await open(store, options);
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
export function storesOf(): typeof kinds {
  return kinds;
}

/** Describes the same behaviour on every store. */
export function describeEverywhere(what: string, rows: (place: () => Place) => void): void {
  describe.each(kinds)(`${what} on $name`, ({ create }) => {
    rows(() => placeOn(create()));
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

/** Resolves after some turns of the event loop: time for what is under way to settle. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}
