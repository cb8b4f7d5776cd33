const digits = 8;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-';

/**
 * Makes tokens for batches: 48 random bits. A token stands in the head of its run and is only ever compared with the one
 * that may have taken its place there, so that it need not be longer; and every run has one.
 */
export function commitTokens(random: () => number): () => string {
  return () => {
    let bits = random();
    let token = '';
    for (let digit = 0; digit < digits; digit++) {
      bits *= alphabet.length;
      const value = Math.floor(bits);
      token += alphabet.charAt(value);
      bits -= value;
    }
    return token;
  };
}
