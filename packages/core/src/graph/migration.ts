import type { CompiledMigration } from './compile/compiled-graph.ts';
import { type Complain, complainOfUnknown, quoted } from './compile/problem.ts';
import { isOptions } from './draft/is-options.ts';

/**
 * A migration from the previous version: the state, and renamed nodes, questions and steps.
 *
 * @example
 * ```ts
 * const toEuros: Migration = { state: ({ cents }) => ({ amount: { cents, currency: 'EUR' } }), nodes: { check: 'verify' } };
 * ```
 */
export type Migration =
  | ((old: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>)
  | {
      /** Converts the old state to the new one. */
      readonly state?: (old: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
      /** New names of nodes, by old name. */
      readonly nodes?: Readonly<Record<string, string>>;
      /** New names of questions, by old name. */
      readonly asks?: Readonly<Record<string, string>>;
      /**
       * New names of steps, sleeps, received messages and children in the bodies, by old name. `null`: the call is gone, and
       * what was recorded of it is dropped. Messages that are sent under an old name are received under the new one.
       */
      readonly steps?: Readonly<Record<string, string | null>>;
    };

const migrationKeys = ['state', 'nodes', 'asks', 'steps'];

/** Parses the `migrate` option. */
export function readMigrations(
  migrate: unknown,
  version: number,
  complain: Complain,
): ReadonlyMap<number, CompiledMigration> {
  const migrations = new Map<number, CompiledMigration>();
  if (migrate === undefined) return migrations;
  if (!isOptions(migrate)) {
    complain(
      '"migrate" is not an object. Pass migrations by the version they migrate from, such as { 1: (old) => ({ …old }) }.',
    );
    return migrations;
  }
  for (const [key, migration] of Object.entries(migrate)) {
    const from = Number(key);
    // Compare with String(), because '1.0' and ' 1' are different keys.
    if (!Number.isSafeInteger(from) || from < 1 || from >= version || String(from) !== key) {
      complain(
        `"migrate" has the invalid key ${quoted(key)}. Use the version to migrate from: an integer of at least 1 and below the version of the graph, ${version}.`,
      );
    }
    migrations.set(
      from,
      compileMigration(migration, (what) => complain(`The migration from version ${quoted(key)}: ${what}`)),
    );
  }
  return migrations;
}

/** Parses a migration. Whatever it omits stays unchanged. */
function compileMigration(migration: unknown, complain: Complain): CompiledMigration {
  if (typeof migration === 'function') return { ...unchanged, state: migration as CompiledMigration['state'] };
  if (!isOptions(migration)) {
    complain('It must be a function of the old state, or an object with state, nodes, asks and steps.');
    return unchanged;
  }
  complainOfUnknown(migration, { of: 'It', known: migrationKeys, complain });
  const { state = unchanged.state } = migration;
  if (typeof state !== 'function') complain('"state" must be a function from the old state to the new one.');
  return {
    state: state as CompiledMigration['state'],
    nodes: readNames(migration['nodes'], 'nodes', complain),
    asks: readNames(migration['asks'], 'asks', complain),
    steps: readSteps(migration['steps'], complain),
  };
}

const unchanged: CompiledMigration = { state: (old) => old, nodes: new Map(), asks: new Map(), steps: new Map() };

function readNames(names: unknown, option: string, complain: Complain): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const [from, to] of entriesOf(names, option, complain)) {
    if (typeof to === 'string') renamed.set(from, to);
    else complain(`"${option}" must give ${quoted(from)} a new name, as a string.`);
  }
  return renamed;
}

function readSteps(names: unknown, complain: Complain): ReadonlyMap<string, string | null> {
  const renamed = new Map<string, string | null>();
  for (const [from, to] of entriesOf(names, 'steps', complain)) {
    if (typeof to === 'string' || to === null) renamed.set(from, to);
    else complain(`"steps" must give ${quoted(from)} a new name, as a string, or null if it is gone.`);
  }
  return renamed;
}

function entriesOf(names: unknown, option: string, complain: Complain): readonly (readonly [string, unknown])[] {
  if (names === undefined) return [];
  if (isOptions(names)) return Object.entries(names);
  complain(`"${option}" must be an object from old names to new names.`);
  return [];
}
