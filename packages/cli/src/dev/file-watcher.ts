import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Editors write a file in several operations. */
const settleMs = 100;

/** Reports when one of the added files changes. Watches their folders, since editors replace files. */
export class FileWatcher implements Disposable {
  readonly #files = new Set<string>();
  readonly #folders = new Map<string, FSWatcher>();
  readonly #onChange: (file: string) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (file: string) => void) {
    this.#onChange = onChange;
  }

  add(file: string): void {
    this.#files.add(file);
    const folder = dirname(file);
    if (this.#folders.has(folder)) return;
    const watcher = watch(folder, (_event, name) => {
      const changed = name === null ? undefined : join(folder, name);
      if (changed === undefined || !this.#files.has(changed)) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#onChange(changed), settleMs);
    });
    // Stop watching a folder that was removed.
    watcher.on('error', () => this.#folders.delete(folder));
    this.#folders.set(folder, watcher);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
  }
}
