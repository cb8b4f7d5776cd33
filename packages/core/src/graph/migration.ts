import type { CompiledMigration } from './compile/compiled-graph.ts';
import { type Complain, complainOfUnknown, quoted } from './compile/problem.ts';
import { isOptions } from './draft/is-options.ts';

/** From the version before: the channels, and the new names of what was renamed. */
export type Migration =
  | ((old: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>)
  | {
      /** From the old channels to the new ones. */
      readonly state?: (old: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
      /** New names of nodes, by the old ones. */
      readonly nodes?: Readonly<Record<string, string>>;
      /** New names of questions, by the old ones. */
      readonly asks?: Readonly<Record<string, string>>;
    };

const migrationKeys = ['state', 'nodes', 'asks'];

/** Makes ready what was given as `migrate`, by the version that each starts from. */
export function readMigrations(
  migrate: unknown,
  version: number,
  complain: Complain,
): ReadonlyMap<number, CompiledMigration> {
  const migrations = new Map<number, CompiledMigration>();
  if (migrate === undefined) return migrations;
  if (!isOptions(migrate)) {
    complain('"migrate" is no object. Pass one such as { 1: (old) => ({ …old }) }, by the version it starts from.');
    return migrations;
  }
  for (const [key, migration] of Object.entries(migrate)) {
    const from = Number(key);
    // String() again, because '1.0' and ' 1' are keys of their own.
    if (!Number.isSafeInteger(from) || from < 1 || from >= version || String(from) !== key) {
      complain(
        `"migrate" has the key ${quoted(key)}. A key is the version to migrate from: a whole number from 1 on and below the version of the graph, ${version}.`,
      );
    }
    migrations.set(
      from,
      compileMigration(migration, (what) => complain(`The migration from version ${quoted(key)}: ${what}`)),
    );
  }
  return migrations;
}

/** Makes a migration ready; what it leaves out stays as it is. */
function compileMigration(migration: unknown, complain: Complain): CompiledMigration {
  if (typeof migration === 'function') return { ...unchanged, state: migration as CompiledMigration['state'] };
  if (!isOptions(migration)) {
    complain('It is neither a function of the old state nor an object with state, nodes and asks.');
    return unchanged;
  }
  complainOfUnknown(migration, { of: 'It', known: migrationKeys, complain });
  const { state = unchanged.state } = migration;
  if (typeof state !== 'function') complain('"state" has to be a function from the old state to the new one.');
  return {
    state: state as CompiledMigration['state'],
    nodes: readNames(migration['nodes'], 'nodes', complain),
    asks: readNames(migration['asks'], 'asks', complain),
  };
}

const unchanged: CompiledMigration = { state: (old) => old, nodes: new Map(), asks: new Map() };

function readNames(names: unknown, option: string, complain: Complain): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (names === undefined) return renamed;
  if (!isOptions(names)) {
    complain(`"${option}" has to be an object from old names to new ones.`);
    return renamed;
  }
  for (const [from, to] of Object.entries(names)) {
    if (typeof to === 'string') renamed.set(from, to);
    else complain(`"${option}" has to give ${quoted(from)} a new name, a text.`);
  }
  return renamed;
}
