/** A running hash of all that happens, so that two simulations of the same seed can be compared (FNV-1a). */
export class TraceHash {
  #hash = 0x811c9dc5;

  add(text: string, value = 0): void {
    let hash = this.#hash;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    const whole = Math.floor(value * 1_000);
    hash = Math.imul(hash ^ (whole & 0xffff), 0x01000193);
    this.#hash = Math.imul(hash ^ (Math.floor(whole / 0x1_0000) & 0xffff), 0x01000193);
  }

  toString(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }
}
