import { storeAt } from '../../../src/engine/store-at.ts';
import { changedUrl, deletedRuns, type Operation, type Place, sourceUrl } from './operation.ts';
import { lookAt, type Picture, pictureOf, type RunPicture } from './picture.ts';

/** What the stores are before and after the operation, if nothing comes between. */
export interface Expected {
  readonly source: Picture;
  readonly before: Picture;
  readonly after: Picture;
}

interface Case {
  readonly operation: Operation;
  readonly place: Place;
  readonly expected: Expected;
  readonly again: () => Promise<void>;
}

/** What was found after a kill, and after the operation was called again. */
interface Found {
  readonly isChanged: boolean;
  readonly violations: readonly string[];
}

/** Nothing lost, nothing corrupt, and the operation can be completed. */
export async function judge({ operation, place, expected, again }: Case): Promise<Found> {
  const store = await storeAt(changedUrl(operation, place));
  const { picture: found, corruption, drafts } = await lookAt(store);
  const violations = corruption.map((what) => `after the kill: ${what}`);
  violations.push(...differences(operation, found, expected));
  const isChanged = drafts.length > 0 || !isSame(found, expected.before);
  try {
    await again();
  } catch (error) {
    violations.push(`cannot be completed: ${String(error)}`);
    return { isChanged, violations };
  }
  const { picture: completed, ...left } = await lookAt(store);
  violations.push(...left.corruption.map((what) => `after it was completed: ${what}`));
  violations.push(...left.drafts.map((runId) => `${runId} is a draft still`));
  for (const runId of new Set([...completed.keys(), ...expected.after.keys()])) {
    if (!isEnd(operation, completed.get(runId), expected.after.get(runId)))
      violations.push(`${runId} is not what it is without a kill`);
  }
  const isElsewhere = changedUrl(operation, place) !== sourceUrl(place);
  if (isElsewhere && !isSame(await pictureOf(await storeAt(sourceUrl(place))), expected.source)) {
    violations.push('the source was changed');
  }
  return { isChanged, violations };
}

/** After a kill, each run is what it was or what it is to be. */
function differences(operation: Operation, found: Picture, { before, after }: Expected): readonly string[] {
  const wrong: string[] = [];
  for (const runId of new Set([...found.keys(), ...before.keys(), ...after.keys()])) {
    const now = found.get(runId);
    if (isSameRun(now, before.get(runId)) || isEnd(operation, now, after.get(runId))) continue;
    if (operation === 'delete' && isBeingDeleted(now, before.get(runId))) continue;
    wrong.push(`${runId} is neither what it was nor what it is to be: ${now?.records.length} records`);
  }
  return wrong;
}

const mayGo: ReadonlySet<string> = new Set(deletedRuns);

/** A run that is not over is cancelled before it is deleted: it has some records more then; what forks stand on stays. */
function isBeingDeleted(now: RunPicture | undefined, before: RunPicture | undefined): boolean {
  const { runId, parentId } = JSON.parse(before?.header ?? '{}') as {
    readonly runId?: string;
    readonly parentId?: string;
  };
  if (before === undefined || !(mayGo.has(runId ?? '') || mayGo.has(parentId ?? ''))) return false;
  return now === undefined || before.records.every((record, at) => now.records[at] === record);
}

/** A run that is deleted is cancelled at a time of its own: only that is not the same each time. */
function isEnd(operation: Operation, now: RunPicture | undefined, after: RunPicture | undefined): boolean {
  if (operation !== 'delete' || now === undefined || after === undefined) return isSameRun(now, after);
  return isSameRun({ ...now, header: '' }, { ...after, header: '' });
}

function isSame(a: Picture, b: Picture): boolean {
  return a.size === b.size && [...a].every(([runId, picture]) => isSameRun(picture, b.get(runId)));
}

function isSameRun(a: RunPicture | undefined, b: RunPicture | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
