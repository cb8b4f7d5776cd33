const digits = 6;
const radix = 36;
/** Looked up, because writing a number as text takes as long as the rest of a token. */
const lastDigits = '0123456789abcdefghijklmnopqrstuvwxyz';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-';

/**
 * Makes tokens for batches: 36 random bits of this store's own, and a count. A token stands in the head of its run and is
 * only ever compared with the one that may have taken its place there, so that it need not be longer; and every run has
 * one.
 */
export function commitTokens(random: () => number): () => string {
  const own = randomText(random());
  let count = 0;
  let before = own;
  return () => {
    count += 1;
    const last = count % radix;
    // All but the last digit is the same for some time.
    if (last === 0) before = own + (count / radix).toString(radix);
    return before + lastDigits.charAt(last);
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
