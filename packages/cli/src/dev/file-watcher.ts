import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** An editor writes a file in several steps. */
const settleMs = 100;

/** Tells when one of some files has changed. Folders are watched, since editors replace files. */
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
    // A folder that goes away is not watched any longer.
    watcher.on('error', () => this.#folders.delete(folder));
    this.#folders.set(folder, watcher);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
  }
}
