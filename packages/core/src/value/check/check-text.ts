import { holdfastError } from '../../errors/holdfast-error.ts';
import { invalidOption } from './check-options.ts';

/** The longest text beside a value: a reason, a label, a name, who answered. In bytes. */
const maxTextBytes = 16 * 1024;

/** Returns a text unchanged. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_TOO_LARGE */
export function checkText(option: string, text: unknown): string {
  if (typeof text !== 'string') throw invalidOption(option, `${option} must be a string, not ${typeof text}.`);
  if (text.length * 3 <= maxTextBytes || Buffer.byteLength(text) <= maxTextBytes) return text;
  throw holdfastError(
    'HOLDFAST_TOO_LARGE',
    `${option} takes more than ${maxTextBytes} bytes. Store large content elsewhere and keep a reference to it here.`,
    { details: { option, limit: maxTextBytes } },
  );
}
