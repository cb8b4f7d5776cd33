import { createHash, type Hash } from 'node:crypto';

/** An incremental SHA-256. */
export class RunningHash {
  readonly #hash: Hash = createHash('sha256');

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The hash of all bytes so far, in hex. More bytes may follow. */
  hex(): string {
    return this.#hash.copy().digest('hex');
  }
}
