import { Admission } from '../../src/engine/lease/admission.ts';
import type { Mutant } from './mutant.ts';

/** Replaces a property of all admissions until it is called back. */
function patching(name: 'hasLoop' | 'isOpen' | 'room', value: boolean | number): Mutant['patch'] {
  return () => {
    const before = Object.getOwnPropertyDescriptor(Admission.prototype, name) as PropertyDescriptor;
    Object.defineProperty(Admission.prototype, name, { get: () => value, configurable: true });
    return () => Object.defineProperty(Admission.prototype, name, before);
  };
}

/** Workers that execute more than they may, or when they should not. */
export const drainMutants: readonly Mutant[] = [
  { name: 'a limit that wake timers ignore', setting: 'fleet', patch: patching('hasLoop', false) },
  { name: 'a limit that the work loop ignores', setting: 'fleet', patch: patching('room', 100) },
  { name: 'a drain that wake timers ignore', setting: 'fleet', patch: patching('isOpen', true) },
];
