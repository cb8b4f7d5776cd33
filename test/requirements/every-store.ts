import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Clock, type Engine, type EngineOptions, openEngine, type Store } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { memoryStore } from 'holdfast/testing';
import { describe, onTestFinished } from 'vitest';

interface KindOfStore {
  readonly name: string;
  /** An empty store, at the path if it is on disk. */
  readonly create: (path: string) => Store;
  /** Whether several engines may write to it at once. */
  readonly shared: boolean;
  readonly onDisk: boolean;
}

/** The stores that every row of every document is shown on. */
const kinds: readonly KindOfStore[] = [
  { name: 'memory', create: () => memoryStore(), shared: true, onDisk: false },
  { name: 'file', create: (path) => fileStore(path), shared: false, onDisk: true },
  { name: 'sqlite', create: (path) => sqliteStore(path), shared: true, onDisk: true },
];

/** An empty folder that is removed when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-requirements-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Place {
  /** An engine on an empty store, closed when the test has ended. */
  readonly fresh: (options?: EngineOptions) => Promise<Engine>;
  /** An empty store as a value, for tests that open it more than once. */
  readonly store: () => Store;
  /** The store at a path, for tests that look at what is there. */
  readonly at: (path: string) => Store;
  readonly shared: boolean;
}

/** An engine that is closed when the test has ended. */
export async function openForTest(store: Store, options?: EngineOptions): Promise<Engine> {
  const engine = await openEngine(store, options);
  onTestFinished(() => engine.close());
  return engine;
}

/** Describes a document's rows on every store ("document 001 on memory"), or only on those that are shared or on disk, or not. */
export function describeDocument(
  document: '000' | '001' | '002' | '003' | '004',
  rows: (place: Place) => void,
  only: { readonly shared?: boolean; readonly onDisk?: boolean } = {},
): void {
  const chosen = kinds.filter(
    ({ shared, onDisk }) => (only.shared ?? shared) === shared && (only.onDisk ?? onDisk) === onDisk,
  );
  for (const { name, create, shared } of chosen) {
    const store = (): Store => create(join(temporaryFolder(), 'runs'));
    describe(`document ${document} on ${name}`, () => {
      rows({ fresh: (options) => openForTest(store(), options), store, at: create, shared });
    });
  }
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
