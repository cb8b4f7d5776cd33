import type { StoreDriver } from '../store/contract/driver.ts';
import { defineStore, openDriver } from '../store/store.ts';
import type { Encryption } from '../value/secret/encryption-key.ts';
import { keyringOf } from '../value/secret/keyring.ts';
import { Bench } from './bench.ts';
import { capabilitiesContract } from './contract/capabilities.ts';
import { closeContract } from './contract/close.ts';
import { commitContract } from './contract/commit/commit.ts';
import { copyContract } from './contract/commit/copy.ts';
import { createContract } from './contract/commit/create.ts';
import { doubtContract } from './contract/commit/doubt.ts';
import { epochContract } from './contract/commit/epoch.ts';
import { groupContract } from './contract/commit/group.ts';
import type { Contract } from './contract/contract.ts';
import { claimContract } from './contract/lease/claim.ts';
import { modelContract } from './contract/model.ts';
import { corruptContract } from './contract/read/corrupt.ts';
import { idsContract } from './contract/read/ids.ts';
import { loadContract } from './contract/read/load.ts';
import { recordsContract } from './contract/read/records.ts';
import { runsContract } from './contract/read/runs.ts';
import { snapshotsContract } from './contract/read/snapshots.ts';
import { watchContract } from './contract/read/watch.ts';
import { trimContract } from './contract/retention/trim.ts';
import { faultyStore } from './fault/faulty-store.ts';
import type { ModelOptions } from './model/model-options.ts';
import type { CreatePlace, StorePlace } from './store-place.ts';
import type { TestRunner } from './test-runner.ts';

/** The suite for store authors: the runner's own `describe` and `test`, and how to make a place for the store. */
export interface StoreSuiteOptions extends TestRunner {
  readonly create: CreatePlace;
  /** Also compares the store with a model over many random sequences of calls; needs fast-check. */
  readonly model?: ModelOptions | undefined;
  /** Tests the store as it is used with encryption: the texts that it keeps are others. */
  readonly encryption?: Encryption | undefined;
}

const contracts: readonly ((contract: Contract) => void)[] = [
  commitContract,
  createContract,
  copyContract,
  groupContract,
  epochContract,
  doubtContract,
  loadContract,
  recordsContract,
  idsContract,
  snapshotsContract,
  runsContract,
  corruptContract,
  claimContract,
  trimContract,
  watchContract,
  closeContract,
  capabilitiesContract,
];

/**
 * Tests a store against the whole contract. A store that passes can be given to `openEngine`.
 *
 * @example
 * ```ts
 * // `describe` and `test` of vitest, jest or node:test
 * storeSuite({ describe, test, create: () => ({ store: memoryStore() }) });
 * ```
 */
export function storeSuite(options: StoreSuiteOptions): void {
  const { describe, test, create, model, encryption } = options;
  const keyring = encryption && keyringOf(encryption);
  const contract: Contract = {
    describe,
    test: (name, body) => test(name, () => Bench.use({ create, keyring }, body)),
  };
  for (const describeContract of contracts) describeContract(contract);
  // What injects faults must itself keep the contract, or what is told of a failing store would be told of it.
  const inside: Contract = {
    describe,
    test: (name, body) => test(name, () => Bench.use({ create: () => wrapped(create), keyring }, body)),
  };
  describe('inside a faulty store that does not fail', () => {
    for (const describeContract of contracts) describeContract(inside);
  });
  if (model !== undefined) modelContract({ describe, test, create, model, keyring });
}

/** The place with its store in one that could fail. */
async function wrapped(create: CreatePlace): Promise<StorePlace> {
  const place = await create();
  const inside = new Map<StoreDriver, StoreDriver>();
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(place.store, env, how);
    const faulty = await openDriver(
      faultyStore(
        defineStore(async () => driver),
        () => undefined,
      ),
      env,
      how,
    );
    inside.set(faulty, driver);
    return faulty;
  });
  const on = (end: StorePlace['crash']): StorePlace['crash'] => end && ((driver) => end(inside.get(driver) ?? driver));
  return { ...place, store, crash: on(place.crash), kill: on(place.kill) };
}
