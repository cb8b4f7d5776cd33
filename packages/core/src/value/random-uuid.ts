/** A random UUID (version 4). `random` returns a number of at least 0 and below 1. */
export function randomUuid(random: () => number): string {
  const word = (): number => Math.floor(random() * 2 ** 32);
  // The version is 4, and the variant the one of RFC 9562.
  const second = hex((word() & 0xffff_0fff) | 0x4000);
  const third = hex((word() & 0x3fff_ffff) | 0x8000_0000);
  return `${hex(word())}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hex(word())}`;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
