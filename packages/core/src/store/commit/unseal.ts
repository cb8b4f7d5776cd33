import { holdfastError } from '../../errors/holdfast-error.ts';
import { checksum } from '../../value/hash/checksum.ts';
import type { Sealed } from '../contract/commit.ts';

/** The text, if it is what was written at that place. @throws HOLDFAST_CORRUPT */
export function unseal(place: string, { text, crc }: Sealed): string {
  if (checksum(place, text) === crc) return text;
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `The checksum of ${place} does not match its content. Run verify to see what else is corrupt.`,
    { details: { where: place } },
  );
}
