import { openEngine } from '../../src/engine/open.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { checksum } from '../../src/value/hash/checksum.ts';
import type { Encryption } from '../../src/value/secret/encryption-key.ts';
import { Keyring } from '../../src/value/secret/keyring.ts';
import { graphs, populate } from '../faults/moves/population.ts';
import { type StoreName, withStore } from './case-place.ts';
import type { Finding } from './finding.ts';
import { hostileText, mutateJson, pick, type Random } from './hostile-json.ts';
import { changedRuns, type PlainRun, readRuns, type Sealer, writeRuns } from './record-case.ts';
import { useStore } from './use-store.ts';

type Json = Record<string, unknown>;

const ours = { id: 'ours', key: new Uint8Array(32).fill(11) };
const encryption: Encryption = { keys: [ours] };

/** With which keys the store is opened: the right one most of the time. */
const openings: readonly (Encryption | undefined)[] = [
  encryption,
  encryption,
  { ...encryption, strict: true },
  { keys: [{ id: 'ours', key: new Uint8Array(32).fill(12) }] },
  { keys: [{ id: 'theirs', key: new Uint8Array(32).fill(13) }] },
  undefined,
];

/** Reads every run of an encrypted store with runs of every kind, as the driver keeps it: secrets and all. */
export async function encryptedRuns(): Promise<readonly PlainRun[]> {
  const store = memoryStore();
  await using engine = await openEngine(store, { graphs, encryption });
  await populate(engine);
  return readRuns(store);
}

/** What cases are made of. */
export interface EncryptedSource {
  /** As somebody without the key sees the store. */
  readonly secret: readonly PlainRun[];
  /** As somebody with the key does. */
  readonly plain: readonly PlainRun[];
}

/** Writes runs into an encrypted store that were tampered with, with or without its key, and uses the store afterwards. */
export async function encryptedCase(
  { secret, plain }: EncryptedSource,
  random: Random,
  name: StoreName,
): Promise<readonly Finding[]> {
  const hasKey = random() < 0.4;
  const runs = changedRuns(hasKey ? plain : secret, random, hasKey ? undefined : (record) => tampered(record, random));
  return withStore(name, async (store) => {
    await writeRuns(store, runs, hasKey ? sealerWithKey() : sealerWithoutKey(random));
    return useStore(store, random, pick(random, openings));
  });
}

/** Changes a ciphertext, the id of its key, or what it is bound to. */
function tampered(record: Json, random: Random): Json {
  const { secret } = record;
  if (secret === undefined || random() < 0.2) return mutateJson(record, random);
  const { data } = secret as { readonly data?: unknown };
  if (typeof data !== 'string' || random() < 0.3) return { ...record, secret: mutateJson(secret as Json, random) };
  const at = Math.floor(random() * data.length);
  const changed = random() < 0.5 ? data.slice(0, at) : `${data.slice(0, at)}A${data.slice(at + 1)}`;
  return { ...record, secret: { ...(secret as Json), data: changed } };
}

function sealed(place: string, text: string): ReturnType<Sealer['record']> {
  return { text, crc: checksum(place, text) };
}

/** Records stay as they are. Of a snapshot, the letter says whether it is encrypted: mostly it is. */
function sealerWithoutKey(random: Random): Sealer {
  return {
    record: ({ where }, record) => sealed(where, `j${hostileText(record)}`),
    part: (where, value) => sealed(where, `${random() < 0.8 ? 'e' : 'j'}${hostileText(value)}`),
  };
}

/** Whatever the content is, it is encrypted as the store does it. */
function sealerWithKey(): Sealer {
  const keyring = new Keyring([ours]);
  return {
    record: ({ where, runId, seq }, { payload, meta, ...envelope }) => {
      const { kind, at, id = null, source = 'system', labels = [] } = envelope;
      const bound = JSON.stringify([runId, seq, kind, at, id, source, labels]);
      const secret = keyring.hide(`j${hostileText({ meta, payload })}`, { where, bound });
      return sealed(where, `j${hostileText({ ...envelope, v: 2, secret })}`);
    },
    part: (where, value) => {
      const secret = keyring.hide(`j${hostileText(value)}`, { where, bound: where });
      return sealed(where, `e${JSON.stringify(secret)}`);
    },
  };
}
