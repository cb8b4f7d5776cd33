import type { Engine } from '../../src/engine/engine.ts';
import { HoldfastError } from '../../src/errors/holdfast-error.ts';
import type { Entry } from '../../src/record/record.ts';
import { scene } from './scene.ts';
import type { SimProcess } from './sim-process.ts';

/** A journal that somebody appends to without ids: only the store keeps an entry from being there twice. */
export const diaryId = 'diary';
const pages = 6;

/** What its author knows of its entries: it outlives the process. */
export class DiaryMemory {
  /** The entry to write next. */
  next = 0;
  /** Entries that were acknowledged. */
  readonly sure: Set<number> = new Set();

  get isComplete(): boolean {
    return this.next === pages;
  }
}

/** Writes one entry after another. What was said not to be there is written again; what is in doubt is left so. */
export async function keepDiary(engine: Engine, process: SimProcess, memory: DiaryMemory): Promise<void> {
  while (memory.next < pages) {
    await process.delay(scene().world.random() * 300);
    const entry = memory.next;
    memory.next += 1;
    if (await isWritten(engine, process, entry)) memory.sure.add(entry);
  }
}

async function isWritten(engine: Engine, process: SimProcess, entry: number): Promise<boolean> {
  for (;;) {
    try {
      await engine.journal.append(diaryId, { payload: entry });
      return true;
    } catch (error) {
      if (HoldfastError.is(error, 'HOLDFAST_IN_DOUBT')) return false;
      await process.delay(20);
    }
  }
}

/** What must not be: an entry twice, one that was acknowledged and is not there, one before an older one. */
export function diaryFaults(journal: readonly Entry[], { sure }: DiaryMemory): readonly string[] {
  const found = journal.map(({ payload }) => payload as number);
  const lost = [...sure]
    .filter((entry) => !found.includes(entry))
    .map((entry) => `entry ${entry} of the diary is lost`);
  const rest = found.filter((entry, at) => at > 0 && entry <= (found[at - 1] as number));
  return [...lost, ...rest.map((entry) => `entry ${entry} of the diary is there twice, or late`)];
}
