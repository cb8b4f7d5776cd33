const digits = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-';

/**
 * Makes tokens for batches: 36 random bits of this store's own, and a count. A token stands in the head of its run and is
 * only ever compared with the one that may have taken its place there, so that it need not be longer; and every run has
 * one.
 */
export function commitTokens(random: () => number): () => string {
  const own = randomText(random());
  let count = 0;
  return () => {
    count += 1;
    return own + count.toString(36);
  };
}

function randomText(number: number): string {
  let bits = number;
  let text = '';
  for (let digit = 0; digit < digits; digit++) {
    bits *= alphabet.length;
    const value = Math.floor(bits);
    text += alphabet.charAt(value);
    bits -= value;
  }
  return text;
}
