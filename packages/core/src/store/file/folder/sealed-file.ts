import type { Files } from '../../../env/files.ts';
import type { Shape } from '../../../value/data-shape.ts';
import { openOnlyLine, sealLine } from '../../../value/hash/sealed-line.ts';
import { storedJson } from '../../stored-json.ts';
import { corrupt, inDoubt, isMissing, undone } from '../errors.ts';
import { pathInside } from './names.ts';
import { placeFile } from './write-atomically.ts';

interface SealedFileOptions {
  readonly files: Files;
  readonly root: string;
  /** The file's name in the root. */
  readonly name: string;
  /** What its loss means, for people who find it corrupt. */
  readonly remedy: string;
  /** What its content has to be. */
  readonly fits: Shape;
}

/** A small file in the root of a store: one line of JSON with a checksum, replaced whole with every change. */
export class SealedFile<T extends object> {
  readonly #options: SealedFileOptions;

  constructor(options: SealedFileOptions) {
    this.#options = options;
  }

  /** Undefined when there is none. @throws HOLDFAST_CORRUPT */
  async read(): Promise<T | undefined> {
    const { files, root, name, remedy, fits } = this.#options;
    let bytes: Uint8Array;
    try {
      bytes = await files.readAll(pathInside(root, name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const open = openOnlyLine(this.#place, bytes);
    if (open === undefined) throw corrupt('its checksum does not match', { file: name }, remedy);
    const content = storedJson(`${open}}`, fits) as T | undefined;
    if (content === undefined) throw corrupt('it has another content', { file: name }, remedy);
    return content;
  }

  /** @throws HOLDFAST_STORE_FAILED: without effect, or in doubt when nobody knows what a power cut would leave */
  async write(content: T): Promise<void> {
    const { files, root, name } = this.#options;
    const bytes = Buffer.from(sealLine(this.#place, JSON.stringify(content).slice(0, -1)));
    await placeFile(files, pathInside(root, name), bytes).catch(async (cause: unknown) => {
      throw await undone(cause, async () => {});
    });
    await files.syncDirectory(root).catch((cause: unknown) => {
      throw inDoubt(cause);
    });
  }

  get #place(): string {
    return `${this.#options.name} `;
  }
}
