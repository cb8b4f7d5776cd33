import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Clock, type Engine, type EngineOptions, open, type Store } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { memoryStore } from 'holdfast/testing';
import { describe, onTestFinished } from 'vitest';

interface KindOfStore {
  readonly name: string;
  readonly create: () => Store;
  /** Whether several engines may write to it at once. */
  readonly shared: boolean;
}

/** The stores that every row of every document is shown on. */
const kinds: readonly KindOfStore[] = [
  { name: 'memory', create: memoryStore, shared: true },
  { name: 'file', create: () => fileStore(join(temporaryFolder(), 'runs')), shared: false },
  { name: 'sqlite', create: () => sqliteStore(join(temporaryFolder(), 'runs.db')), shared: true },
];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Place {
  /** An engine on an empty store, closed when the test has ended. */
  readonly fresh: (options?: EngineOptions) => Promise<Engine>;
  /** An empty store as a value, for tests that open it more than once. */
  readonly store: () => Store;
  readonly shared: boolean;
}

/** An engine that is closed when the test has ended. */
export async function openForTest(store: Store, options?: EngineOptions): Promise<Engine> {
  const engine = await open(store, options);
  onTestFinished(() => engine.close());
  return engine;
}

/** Describes a document's rows on every store ("seed 001 on memory"), or on those that are shared, or that are not. */
export function describeSeed(
  seed: string,
  rows: (place: Place) => void,
  only: { readonly shared?: boolean } = {},
): void {
  const { shared: wanted } = only;
  const chosen = kinds.filter(({ shared }) => wanted === undefined || shared === wanted);
  describe.each(chosen)(`seed ${seed} on $name`, ({ create, shared }) => {
    rows({ fresh: (options) => openForTest(create(), options), store: create, shared });
  });
}

/** A clock that tells what it is told to tell; its sleeps take their time. */
export function clockThatTells(now: () => number): Clock {
  return { now, sleep: (ms, signal) => setTimeout(ms, undefined, { signal }) };
}

/** All that an iterable gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
