import { checkText } from './check-text.ts';

/** Who gives a command, as a part of its record. Nothing if the caller did not say. @throws HOLDFAST_INVALID_OPTION */
export function checkBy(by: unknown): { readonly by?: string } {
  return by === undefined ? {} : { by: checkText('by', by) };
}
