import { folderName, idsName, pathInside, type SnapshotFile, segmentName, snapshotName } from '../folder/names.ts';

/** The folder where the runs of a store are. */
export const runsFolder = 'runs';

/** Where a run's folder is. */
export interface RunPlace {
  /** The root of the store. */
  readonly root: string;
  /** The folder's own name. */
  readonly folder: string;
}

/** The place of a run. */
export function placeOfRun(root: string, runId: string): RunPlace {
  return { root, folder: folderName(runId) };
}

/** The path of a run's folder. */
export function folderPath({ root, folder }: RunPlace): string {
  return pathInside(root, runsFolder, folder);
}

/** The path of one of a run's segments. */
export function segmentPath(place: RunPlace, first: number): string {
  return pathInside(folderPath(place), segmentName(first));
}

/** The path of one of a run's snapshots. */
export function snapshotPath(place: RunPlace, file: SnapshotFile): string {
  return pathInside(folderPath(place), snapshotName(file));
}

/** The path of a run's file of ids. */
export function idsPath(place: RunPlace, rev: number): string {
  return pathInside(folderPath(place), idsName(rev));
}

/** A file of ids as messages name it: the path inside the store. */
export function shownIds({ folder }: RunPlace, rev: number): string {
  return `${runsFolder}/${folder}/${idsName(rev)}`;
}

/** A segment as messages name it: the path inside the store. */
export function shownSegment({ folder }: RunPlace, first: number): string {
  return `${runsFolder}/${folder}/${segmentName(first)}`;
}
