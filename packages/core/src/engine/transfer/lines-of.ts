import { holdfastError } from '../../errors/holdfast-error.ts';
import { newline } from '../../value/sealed-line.ts';

/** A line with its newline; without one only the last, where it was cut off. */
interface Line {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** A snapshot has a head and a body, of at most 16 MiB each, and some more around them: nothing of ours is longer. */
const longest = 48 * 1024 * 1024;

/** The lines of bytes that come in any pieces. @throws HOLDFAST_FOREIGN_FILE when one never ends */
export async function* linesOf(source: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<Line> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source instanceof Uint8Array ? [source] : source) {
    let from = 0;
    for (let stop = chunk.indexOf(newline); stop !== -1; stop = chunk.indexOf(newline, from)) {
      yield { bytes: joined([...pieces, chunk.subarray(from, stop + 1)]), isWhole: true };
      pieces = [];
      length = 0;
      from = stop + 1;
    }
    if (from === chunk.length) continue;
    // A copy: whoever gives the chunks may fill them anew.
    pieces.push(chunk.slice(from));
    length += chunk.length - from;
    if (length > longest) throw tooLong();
  }
  if (length > 0) yield { bytes: joined(pieces), isWhole: false };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

function tooLong(): Error {
  return holdfastError(
    'HOLDFAST_FOREIGN_FILE',
    'This is no export of Holdfast: one of its lines has no end. Give what engine.export wrote.',
  );
}
