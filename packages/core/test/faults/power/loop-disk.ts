import { mkdirSync, rmSync } from 'node:fs';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onEnd } from '../runner/clean-up.ts';
import { command, lastCommand } from '../runner/command.ts';

const size = 64 * 1_048_576;

/** An ext4 file system in a file, mounted through a loop device; unmounted and gone however the process ends. */
export class LoopDisk {
  readonly mountPoint: string;
  readonly #image: string;
  #device = '';
  #forget: () => void = () => {};

  constructor(directory: string) {
    this.#image = join(directory, 'image');
    this.mountPoint = join(directory, 'mount');
  }

  async create(): Promise<void> {
    this.#forget = onEnd(() => this.#undo());
    mkdirSync(this.mountPoint, { recursive: true });
    await writeFile(this.#image, '');
    await truncate(this.#image, size);
    this.#device = await command('losetup', '--find', '--show', this.#image);
    await this.format();
  }

  /** A new and empty file system; the disk must not be mounted yet. */
  async format(): Promise<void> {
    await command('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=1,nodiscard', this.#device);
    await this.mount();
  }

  async mount(): Promise<void> {
    await command('mount', '-t', 'ext4', this.#device, this.mountPoint);
  }

  async unmount(): Promise<void> {
    await command('umount', this.mountPoint);
  }

  /** Makes everything on it durable. */
  async sync(): Promise<void> {
    await command('sync', '--file-system', this.mountPoint);
  }

  /** A path on it where nothing is. */
  async clearedPath(name: string): Promise<string> {
    const path = join(this.mountPoint, name);
    await rm(path, { recursive: true, force: true });
    return path;
  }

  close(): void {
    this.#undo();
    this.#forget();
  }

  #undo(): void {
    lastCommand('umount', '--lazy', this.mountPoint);
    if (this.#device !== '') lastCommand('losetup', '--detach', this.#device);
    rmSync(this.#image, { force: true });
    rmSync(this.mountPoint, { recursive: true, force: true });
  }
}
