const longest = 27;
const front = 12;
const back = 8;

/** An id, cut in the middle from 28 characters on, because both its ends tell it from others. */
export function cutId(id: string): string {
  // By characters: half of one would be a different text.
  const characters = Array.from(id);
  if (characters.length <= longest) return id;
  return `${characters.slice(0, front).join('')}…${characters.slice(-back).join('')}`;
}

/** The start of a hash, enough to tell two apart. */
export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}

/** The number of a checkpoint: `ord_81@14` is 14. Undefined if it is no id of a checkpoint. */
export function seqOf(checkpoint: string): number | undefined {
  const [, seq] = /@(\d+)$/u.exec(checkpoint) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

/** The run of a checkpoint: `ord_81@14` is of `ord_81`. */
export function runOf(checkpoint: string): string {
  return checkpoint.replace(/@\d+$/u, '');
}
