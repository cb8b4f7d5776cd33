import { join } from 'node:path';
import { tamper } from '../../src/testing/sqlite/sqlite-places.ts';
import { type Place, type StoreName, withStore } from './case-place.ts';
import type { Finding } from './finding.ts';
import { mutateJson, pick, type Random } from './hostile-json.ts';
import { type PlainRun, relativesOf, writeRuns } from './record-case.ts';
import { tamperLines } from './tamper-lines.ts';
import { tamperPostgres, tamperSqlite } from './tamper-rows.ts';
import { useStore } from './use-store.ts';

/** Nobody else can write to the memory of a process. */
const durable: readonly StoreName[] = ['file', 'sqlite', 'postgres'];

/**
 * Writes real runs, and lies about them where only the store itself looks: in headers, in the rows of a database or in the
 * lines of files, each with a good checksum. Uses the store afterwards.
 */
export async function rowCase(runs: readonly PlainRun[], random: Random): Promise<readonly Finding[]> {
  const target = pick(random, runs);
  const written = [...relativesOf(target, runs), target];
  return withStore(pick(random, durable), async (store, place) => {
    // A header that a driver does not take gets into no store in this way.
    if (random() < 0.4) await writeRuns(store, [...written.slice(0, -1), withHeader(target, random)]).catch(() => {});
    else {
      await writeRuns(store, written);
      await tamperWith(place, random).catch(() => {});
    }
    return useStore(store, random);
  });
}

function withHeader(run: PlainRun, random: Random): PlainRun {
  const { runId, ...rest } = run.header;
  return { ...run, header: { ...mutateJson(rest, random), runId } };
}

/** What the database refuses is not changed. */
async function tamperWith(place: Place, random: Random): Promise<void> {
  for (let changes = 1 + Math.floor(random() * 2); changes > 0; changes -= 1) {
    if (place.schema !== undefined) await tamperPostgres(place.schema, random);
    else if (place.name === 'sqlite')
      await tamper(join(place.folder, 'runs.db'), (database) => tamperSqlite(database, random));
    else tamperLines(join(place.folder, 'runs'), random);
  }
}
