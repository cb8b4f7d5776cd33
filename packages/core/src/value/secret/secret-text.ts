import { holdfastError } from '../../errors/holdfast-error.ts';
import type { Keyring } from './keyring.ts';
import { isSecret, type ReadSecret } from './secret.ts';

/** The format character of an encrypted text. The codec uses another. */
const format = 'e';

/** Formats a secret as a stored text. */
export function hideText(keyring: Keyring, where: string, text: string): string {
  return format + JSON.stringify(keyring.hide(text, { where, bound: where }));
}

/** Whether a stored text is encrypted. */
export function isHidden(text: string): boolean {
  return text.startsWith(format);
}

/** Decrypts a stored text; undefined if `read` skips it. @throws HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY, HOLDFAST_CORRUPT */
export function showText(read: ReadSecret, where: string, hidden: string): string | undefined {
  const secret = parse(hidden.slice(format.length));
  if (isSecret(secret)) return read(secret, { where, bound: where });
  throw holdfastError(
    'HOLDFAST_CORRUPT',
    `${where} is corrupt: it is not an encrypted text. Restore it from a backup.`,
    {
      details: { where },
    },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
