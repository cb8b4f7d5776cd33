import { holdfastError } from '../../errors/holdfast-error.ts';

const mapMutators = mutators('Map', ['set', 'delete', 'clear']);
const setMutators = mutators('Set', ['add', 'delete', 'clear']);
const dateMutators = mutators(
  'Date',
  Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set')),
);

/** Makes a Map immutable. Object.freeze() alone does not protect its entries. */
export function readOnlyMap(map: Map<unknown, unknown>): Map<unknown, unknown> {
  return Object.defineProperties(map, mapMutators);
}

/** Makes a Set immutable. */
export function readOnlySet(set: Set<unknown>): Set<unknown> {
  return Object.defineProperties(set, setMutators);
}

/** Makes a Date immutable. */
export function readOnlyDate(date: Date): Date {
  return Object.defineProperties(date, dateMutators);
}

/** Non-enumerable own properties, so that comparing, printing and cloning work as usual. */
function mutators(what: string, names: readonly string[]): PropertyDescriptorMap {
  return Object.fromEntries(names.map((name) => [name, { value: refusal(what, name) }]));
}

function refusal(what: string, name: string): () => never {
  return () => {
    throw holdfastError(
      'HOLDFAST_READ_ONLY',
      `${what}.${name}() would change a run's state, which is read-only. Return a new ${what} instead, such as new ${what}(old).`,
    );
  };
}
