import { holdfastError } from '../../../errors/holdfast-error.ts';
import { isLabel } from '../../../value/data-shape.ts';
import { printable } from '../../../value/printable.ts';

/** Every record of the call contains the name. */
const maxLength = 128;

/**
 * Checks the name of a step, sleep or child. Any text is allowed, because many names come from data, such as a tool or
 * an address. Names that start with a dot are reserved, and NUL and lone surrogates cannot be kept
 * by every store.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkCallName(name: unknown): string {
  if (typeof name === 'string' && name !== '' && name.length <= maxLength && isLabel(name) && !name.startsWith('.'))
    return name;
  const shown = typeof name === 'string' ? `"${printable(name)}"` : `a value of type ${typeof name}`;
  throw holdfastError(
    'HOLDFAST_INVALID_ID',
    `${shown} is not a valid name for a step, sleep or child. Use 1 to ${maxLength} characters that do not start with a dot, without NUL or lone surrogates.`,
    { details: { what: 'step' } },
  );
}
