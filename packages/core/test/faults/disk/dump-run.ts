import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import type { RunHeader } from '../../../src/store/contract/run.ts';

const all = 1_000;

/** Everything that a driver keeps of a run as one text, to compare; undefined when it has no such run. */
export async function dumpRun(driver: StoreDriver, runId: string): Promise<string | undefined> {
  const [header] = (await driver.runs({ runIds: [runId], order: 'oldest', limit: 1 })).headers;
  if (header === undefined) return undefined;
  const records = await driver.records({ runId, order: 'oldest', limit: all });
  const snapshots = await driver.snapshots({ runId, limit: all, bodies: true });
  const ids = await driver.ids({ runId, limit: all });
  return JSON.stringify(
    {
      header: sorted(header),
      records: records.map(({ seq, text, crc }) => [seq, text, crc]),
      ids: ids.map(({ id, seq, at, text, crc }) => [id, seq, at, text, crc]),
      snapshots: snapshots.map(({ covers, seq, head, body }) => [
        covers,
        seq,
        head.text,
        head.crc,
        body?.text,
        body?.crc,
      ]),
    },
    null,
    1,
  );
}

/** The dump of every run of a driver, hidden ones too. */
export async function dumpAll(driver: StoreDriver): Promise<ReadonlyMap<string, string>> {
  const dumps = new Map<string, string>();
  for (const hidden of [false, true]) {
    const { headers, corrupt } = await driver.runs({ hidden, order: 'oldest', limit: all });
    for (const error of corrupt) throw error;
    for (const { runId } of headers) {
      const dump = await dumpRun(driver, runId);
      if (dump !== undefined) dumps.set(runId, dump);
    }
  }
  return dumps;
}

/** Drivers need not agree on the order of the fields. Epochs are left out: the reference never has doubts. */
function sorted({ epoch: _, ...header }: RunHeader): unknown {
  const tags = Object.fromEntries(Object.entries(header.tags).toSorted(byName));
  return Object.fromEntries(Object.entries({ ...header, tags }).toSorted(byName));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

interface Dump {
  readonly header: RunHeader;
  readonly records: readonly (readonly unknown[])[];
  readonly snapshots: readonly (readonly unknown[])[];
}

/** The last seq of a dumped run. */
export function headOf(dump: string): number {
  return (JSON.parse(dump) as Dump).header.head;
}

/** A dump in one line. */
export function summarize(dump: string | undefined): string {
  if (dump === undefined) return 'absent';
  const { header, records, snapshots } = JSON.parse(dump) as Dump;
  const { head, floor, fence, worker, hidden } = header;
  const seqs =
    records.length === 0 ? 'no records' : `records ${String(records[0]?.[0])}–${String(records.at(-1)?.[0])}`;
  const keys = snapshots.map(([covers, seq]) => `${String(covers)}/${String(seq)}`).join(' ') || 'none';
  const state = `head ${head}, floor ${floor}, fence ${fence}, worker ${worker}${hidden ? ', hidden' : ''}`;
  return `${state}, ${seqs}, snapshots ${keys}`;
}

/** The first line in which two dumps differ. */
export function difference(found: string | undefined, wanted: string | undefined): string {
  if (found === undefined || wanted === undefined) return '';
  const [foundLines, wantedLines] = [found.split('\n'), wanted.split('\n')];
  const at = wantedLines.findIndex((line, index) => line !== foundLines[index]);
  return ` (differs first in ${wantedLines[at]?.trim().slice(0, 120)}, found ${foundLines[at]?.trim().slice(0, 120)})`;
}
