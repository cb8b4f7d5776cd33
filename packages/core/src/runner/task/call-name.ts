import { holdfastError } from '../../errors/holdfast-error.ts';
import { printable } from '../../value/printable.ts';

/** Longer names would make every record of the call long. */
const maxLength = 128;

/**
 * Gives back the name of a step, sleep or child. They are any text, because many are made of data: the name of a tool,
 * an address. Those that begin with a dot are our own.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkCallName(name: unknown): string {
  if (typeof name === 'string' && name !== '' && name.length <= maxLength && !name.startsWith('.')) return name;
  const shown = typeof name === 'string' ? `"${printable(name)}"` : `a value of type ${typeof name}`;
  throw holdfastError(
    'HOLDFAST_INVALID_ID',
    `${shown} is not a valid name for a step, sleep or child. Use 1 to ${maxLength} characters that do not start with a dot.`,
    { details: { what: 'step' } },
  );
}
