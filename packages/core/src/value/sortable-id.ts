/** The source of time and randomness for sortable ids. */
export interface SortableIdSource {
  now(): number;
  random(): number;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const latestMs = 2 ** 48 - 1;
const timeDigits = 10;
const randomDigits = 16;
const digitsOnly = /^\d+$/;

/**
 * Creates ids that sort in creation order, even if the clock stops or goes back: 48 bits of time and 80 random bits that
 * count up while the time does not advance. 26 characters of lower-case Crockford base32.
 */
export function sortableIds(source: SortableIdSource): () => string {
  const tail = new Uint8Array(randomDigits);
  let timeMs = -1;
  let time = '';

  function advance(): void {
    const before = timeMs;
    const nowMs = Math.min(Math.max(Math.floor(source.now()) || 0, 0), latestMs);
    if (nowMs > timeMs) {
      timeMs = nowMs;
      fill(tail, source);
    } else if (!increment(tail)) {
      timeMs += 1;
    }
    if (timeMs !== before) time = timeText(timeMs);
  }

  return () => {
    let id: string;
    // An id of only digits would be read as a seq.
    do {
      advance();
      id = time + tailText(tail);
    } while (digitsOnly.test(id));
    return id;
  };
}

/** Four digits of five bits per call. */
function fill(tail: Uint8Array, source: SortableIdSource): void {
  for (let at = 0; at < randomDigits; at += 4) {
    const bits = Math.floor(source.random() * 2 ** 20);
    for (let digit = 0; digit < 4; digit++) tail[at + digit] = (bits >>> (5 * digit)) & 31;
  }
}

/** Increments by one; false if it overflowed to zero. */
function increment(tail: Uint8Array): boolean {
  for (let at = randomDigits - 1; at >= 0; at--) {
    const next = (tail[at] as number) + 1;
    tail[at] = next & 31;
    if (next < 32) return true;
  }
  return false;
}

function timeText(timeMs: number): string {
  let rest = timeMs;
  let text = '';
  for (let digit = 0; digit < timeDigits; digit++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function tailText(tail: Uint8Array): string {
  let text = '';
  for (const digit of tail) text += alphabet.charAt(digit);
  return text;
}
