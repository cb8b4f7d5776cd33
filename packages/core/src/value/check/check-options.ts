import { holdfastError } from '../../errors/holdfast-error.ts';
import { printable } from '../printable.ts';
import { isPlanned } from './planned-options.ts';

/** Every option of a call. The type makes sure that none is forgotten. */
export type KnownOptions<T> = Readonly<Record<keyof T, true>>;

/**
 * Returns the options unchanged. An unknown one is refused: a misspelt option would otherwise do nothing, silently.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function checkOptions<T extends object>(call: string, options: T, known: KnownOptions<T>): T {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null)
    throw invalidOption('options', `The options of ${call} must be an object.`);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    if (isPlanned(name)) throw invalidOption(name, `${call} has no option "${name}" yet. It is planned.`);
    const names = Object.keys(known).join(', ');
    throw invalidOption(name, `${call} has no option "${printable(name)}". The options are ${names}.`);
  }
  return options;
}

/** The error for an option with a value that it cannot have. */
export function invalidOption(option: string, message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message, { details: { option } });
}
