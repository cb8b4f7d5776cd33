import { sealLine } from '../../../src/value/hash/sealed-line.ts';
import type { CorruptionOptions } from './corruption-file.ts';
import { WholeStore } from './file-store.ts';
import { CorruptionTally, type Judgement } from './judge-corruption.ts';
import { WholeDatabase } from './sqlite-copies.ts';

/** Where the file of a database keeps the version of what is in it. */
const versionAt = 60;

/** The file store of a newer Holdfast: refused, and not a byte of it is changed. */
export async function raiseFileFormat({ mutant, onCase }: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['refused']);
  const store = await WholeStore.make({ mutant });
  for (const version of [2, 3, 1_000]) {
    const what = `format ${version}`;
    onCase?.(what);
    const marker = sealLine('format ', `{"format":"holdfast file store","version":${version}`);
    let now = store.disk;
    const judgement = await store.judge((disk) => {
      disk.put('/store/holdfast.json', Buffer.from(marker));
      now = disk;
    });
    const before = new Map(store.disk.contents()).set('/store/holdfast.json', Buffer.from(marker));
    tally.add(what, refusedAsNewer(judgement, isSame(before, now.contents())));
  }
  return tally;
}

/** The database of a newer Holdfast: the same. */
export async function raiseSqliteFormat({ mutant, onCase }: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['refused']);
  await WholeDatabase.use(mutant, async (whole) => {
    const known = Buffer.from(whole.bytes).readUInt32BE(versionAt);
    for (const version of [known + 1, known + 2, known + 1_000]) {
      const what = `format ${version}`;
      onCase?.(what);
      const bytes = Buffer.from(whole.bytes);
      bytes.writeUInt32BE(version, versionAt);
      const { judgement, after } = await whole.judgeBytes(bytes);
      tally.add(what, refusedAsNewer(judgement, bytes.equals(after)));
    }
  });
  return tally;
}

/** Any other refusal would have somebody look for corruption where there is none. */
function refusedAsNewer(judgement: Judgement, isUntouched: boolean): Judgement {
  if (judgement.verdict !== 'refused') return judgement;
  if (!/newer version of Holdfast/.test(judgement.why)) return { verdict: 'nowhere', why: judgement.why };
  return isUntouched ? judgement : { verdict: 'wrong', why: 'it was refused, and written to' };
}

function isSame(before: ReadonlyMap<string, Uint8Array>, after: ReadonlyMap<string, Uint8Array>): boolean {
  return before.size === after.size && [...before].every(([path, bytes]) => isEqual(bytes, after.get(path)));
}

function isEqual(bytes: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(bytes, other) === 0;
}
