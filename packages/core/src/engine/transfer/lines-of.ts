import { holdfastError } from '../../errors/holdfast-error.ts';
import { newline } from '../../value/hash/sealed-line.ts';

/** A line with its newline. Only the last line may lack one: the file was cut off. */
interface Line {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** The longest line is a snapshot: a head and a body of at most 16 MiB each, and a little more. */
const longest = 48 * 1024 * 1024;

/**
 * Splits bytes that come in pieces of any size into lines.
 *
 * @throws HOLDFAST_FOREIGN_FILE when a line never ends, HOLDFAST_INVALID_OPTION for anything but bytes
 */
export async function* linesOf(source: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<Line> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of piecesOf(source)) {
    if (!(chunk instanceof Uint8Array)) throw noBytes();
    let from = 0;
    for (let stop = chunk.indexOf(newline); stop !== -1; stop = chunk.indexOf(newline, from)) {
      if (length + stop - from > longest) throw tooLong();
      yield { bytes: joined([...pieces, chunk.subarray(from, stop + 1)]), isWhole: true };
      pieces = [];
      length = 0;
      from = stop + 1;
    }
    if (from === chunk.length) continue;
    // A copy, because the source may reuse its buffers.
    pieces.push(chunk.slice(from));
    length += chunk.length - from;
    if (length > longest) throw tooLong();
  }
  if (length > 0) yield { bytes: joined(pieces), isWhole: false };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

function piecesOf(source: AsyncIterable<Uint8Array> | Uint8Array): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (source instanceof Uint8Array) return [source];
  const given = Object(source) as Partial<AsyncIterable<Uint8Array> & Iterable<Uint8Array>>;
  if (given[Symbol.asyncIterator] === undefined && given[Symbol.iterator] === undefined) throw noBytes();
  return source;
}

function noBytes(): Error {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    'import() takes bytes. Give it a Uint8Array, or a stream of them, such as a file that is read without an encoding.',
    { details: { option: 'source' } },
  );
}

function tooLong(): Error {
  return holdfastError(
    'HOLDFAST_FOREIGN_FILE',
    'This file is not a Holdfast export: a line is too long. Import a file that engine.export wrote.',
  );
}
