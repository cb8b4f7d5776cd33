import { holdfastError } from '../../errors/holdfast-error.ts';

const mapMutators = mutators('Map', ['set', 'delete', 'clear']);
const setMutators = mutators('Set', ['add', 'delete', 'clear']);
const dateMutators = mutators(
  'Date',
  Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set')),
);

/** Makes a Map of ours refuse to be changed; freezing alone does not reach its entries. */
export function readOnlyMap(map: Map<unknown, unknown>): Map<unknown, unknown> {
  return Object.defineProperties(map, mapMutators);
}

/** Makes a Set of ours refuse to be changed. */
export function readOnlySet(set: Set<unknown>): Set<unknown> {
  return Object.defineProperties(set, setMutators);
}

/** Makes a Date of ours refuse to be changed. */
export function readOnlyDate(date: Date): Date {
  return Object.defineProperties(date, dateMutators);
}

/** Own properties and not enumerable: comparing, printing and cloning see a Map, Set or Date like any other. */
function mutators(what: string, names: readonly string[]): PropertyDescriptorMap {
  return Object.fromEntries(names.map((name) => [name, { value: refusal(what, name) }]));
}

function refusal(what: string, name: string): () => never {
  return () => {
    throw holdfastError(
      'HOLDFAST_READ_ONLY',
      `${what}.${name}() would change a value that is part of the state. Return a new ${what} in its place, such as new ${what}(old).`,
    );
  };
}
