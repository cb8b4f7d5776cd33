import type { Files } from '../../../src/env/files.ts';
import { nodeEnv } from '../../../src/env/node-env.ts';
import { CheckedStore } from '../../../src/store/checked-store.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import type { StoreName } from '../mutant/mutant.ts';
import { openersOf } from './open-bare.ts';

/** A store on a real file system, and how it is broken. */
export interface Place {
  readonly store: StoreName;
  /** The store's own; it makes it. */
  readonly directory: string;
  /** The name of a mutant; undefined: the store as it is. */
  readonly mutant?: string | undefined;
}

interface OpenPlaceOptions {
  /** Where ids and names come from. */
  readonly random?: (() => number) | undefined;
  /** Told of what the store mended. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Makes the calls of files in another way. */
  readonly files?: ((files: Files) => Files) | undefined;
  /** Files only: beside the process that writes; default false. */
  readonly readOnly?: boolean | undefined;
  /** Looks at every call of the driver. */
  readonly observe?: ((driver: StoreDriver) => StoreDriver) | undefined;
}

/** Opens the store of a place. */
export async function openPlace(place: Place, options: OpenPlaceOptions = {}): Promise<CheckedStore> {
  const mutant = place.mutant === undefined ? undefined : (await import('../mutants.ts')).mutantNamed(place.mutant);
  const { readOnly, random = nodeEnv.random, warn = nodeEnv.warn, observe = (driver) => driver } = options;
  const given = options.files?.(nodeEnv.files) ?? nodeEnv.files;
  const files = mutant?.files?.(given) ?? given;
  const machine = mutant?.machine?.(nodeEnv.machine) ?? nodeEnv.machine;
  const env = { ...nodeEnv, random, warn, files, machine };
  const openBare = await openersOf[place.store]();
  const driver = await openBare({ directory: place.directory, env, mutant, readOnly });
  return new CheckedStore(observe(mutant?.driver === undefined ? driver : mutant.driver(driver)), env);
}
