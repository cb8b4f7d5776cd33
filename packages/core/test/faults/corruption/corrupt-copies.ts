/** A file of a store and its bytes. */
export interface StoreFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** One way to corruption a file, and what it is called. */
export interface CorruptFile extends StoreFile {
  readonly what: string;
}

const newline = 0x0a;

interface FlipOptions {
  /** Flips the bits of every so many bytes. */
  readonly stride: number;
  /** Which bits of a byte; by default all. */
  readonly bits?: readonly number[] | undefined;
  readonly offset?: number | undefined;
}

const allBits = [0, 1, 2, 3, 4, 5, 6, 7];

/** The file with one bit flipped, for every bit that is asked for. */
export function* flippedBits({ path, bytes }: StoreFile, options: FlipOptions): Generator<CorruptFile> {
  const { stride, bits = allBits, offset = 0 } = options;
  for (let at = offset; at < bytes.length; at += stride) {
    for (const bit of bits) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] = (flipped[at] as number) ^ (1 << bit);
      yield { path, bytes: flipped, what: `${path}: bit ${bit} of byte ${at} flipped` };
    }
  }
}

/** The file with a line dropped, doubled, or swapped with the next one, for every line. */
export function* shuffledLines({ path, bytes }: StoreFile): Generator<CorruptFile> {
  const lines = linesOf(bytes);
  for (const [at, line] of lines.entries()) {
    const name = `${path}: line ${at + 1}`;
    yield { path, bytes: joined(lines.toSpliced(at, 1)), what: `${name} dropped` };
    yield { path, bytes: joined(lines.toSpliced(at, 0, line)), what: `${name} doubled` };
    const next = lines[at + 1];
    if (next === undefined) continue;
    yield { path, bytes: joined(lines.toSpliced(at, 2, next, line)), what: `${name} swapped with the next` };
  }
}

/** The file cut at every byte of its end, from `from` on. */
export function* cutEnds({ path, bytes }: StoreFile, from: number): Generator<CorruptFile> {
  for (let length = from; length < bytes.length; length += 1) {
    yield { path, bytes: bytes.slice(0, length), what: `${path}: cut to ${length} of ${bytes.length} bytes` };
  }
}

/** The file with zeros after its end: what a lost sector past the end of the data looks like. */
export function* zerosAfter({ path, bytes }: StoreFile): Generator<CorruptFile> {
  for (const count of [1, 2, 511, 512, 4_096]) {
    yield { path, bytes: joined([bytes, new Uint8Array(count)]), what: `${path}: ${count} zeros after its end` };
  }
}

/** The file with nothing but one byte at the end of its data, from every byte of the end on. */
export function* emptiedEnds(
  { path, bytes }: StoreFile,
  { from, byte }: { readonly from: number; readonly byte: number },
): Generator<CorruptFile> {
  for (let at = from; at < bytes.length; at += 1) {
    yield { path, bytes: Uint8Array.from(bytes).fill(byte, at), what: `${path}: only ${byte} from byte ${at} on` };
  }
}

/** The lines of a file, each with its newline. */
export function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const stop = bytes.indexOf(newline, at);
    const end = stop === -1 ? bytes.length : stop + 1;
    lines.push(bytes.subarray(at, end));
    at = end;
  }
  return lines;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
