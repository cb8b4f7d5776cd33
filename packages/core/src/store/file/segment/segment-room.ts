/** A tab: white space to every reader of the file, and never part of a line of ours; see `isOneLine`. */
export const blank = 0x09;

/** The bytes without the blanks that follow the last commit. */
export function withoutRoom(bytes: Buffer): Buffer {
  return withoutEnd(bytes, (byte) => byte === blank);
}

/** The bytes up to the last one that could belong to a commit: no blank, and no zero, which is how lost sectors of a new block read. */
export function withoutEmptiness(bytes: Buffer): Buffer {
  return withoutEnd(bytes, isEmpty);
}

/** Whether sectors of these bytes of a commit were never written: they are as before it. */
export function lacksSectors(bytes: Buffer): boolean {
  return (bytes.length > 0 && isEmpty(bytes[0] as number)) || bytes.includes('\0\0') || bytes.includes('\t\t');
}

function isEmpty(byte: number): boolean {
  return byte === blank || byte === 0;
}

function withoutEnd(bytes: Buffer, isLeftOut: (byte: number) => boolean): Buffer {
  let { length } = bytes;
  while (length > 0 && isLeftOut(bytes[length - 1] as number)) length -= 1;
  return bytes.subarray(0, length);
}
