import { createHash, type Hash } from 'node:crypto';

/** The SHA-256 of bytes that come one after the other. */
export class RunningHash {
  readonly #hash: Hash = createHash('sha256');

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Of all bytes so far, in hex. More may follow. */
  hex(): string {
    return this.#hash.copy().digest('hex');
  }
}
