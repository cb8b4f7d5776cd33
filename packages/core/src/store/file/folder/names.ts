import { hash } from 'node:crypto';
import { sep } from 'node:path';
import { holdfastError } from '../../../errors/holdfast-error.ts';
import type { SnapshotKey } from '../../contract/commit.ts';

/** A snapshot's file: it counts from the revision of its run on that it was written for. */
export interface SnapshotFile extends SnapshotKey {
  readonly rev: number;
}

/** What is added to the name of a file that is still being written. */
export const unfinished = '.tmp';

/** No separator, and no dots alone. */
const safeName = /^[\w-][\w.-]*$/;
const folderPattern = /^[0-9a-f]{32}$/;
const trashPattern = /^[0-9a-f]{32}\.removed-[0-9a-f]+$/;
const segmentPattern = /^journal-(\d{9,16})\.jsonl$/;
const idsPattern = /^ids-(\d{1,16})\.json$/;
const snapshotPattern = /^snapshot-(\d{1,16})-(\d{1,16})-(\d{1,16})\.json$/;

/** The name of a run's folder: a hash, so that no id ever reaches the file system. */
export function folderName(runId: string): string {
  return hash('sha256', runId).slice(0, 32);
}

/** Whether a folder of that name can be a run's. */
export function isFolderName(name: string): boolean {
  return folderPattern.test(name);
}

/** The name under which a run's folder waits to be deleted. */
export function trashName(folder: string, salt: string): string {
  return `${folder}.removed-${salt}`;
}

/** Whether a folder of that name waits to be deleted. */
export function isTrashName(name: string): boolean {
  return trashPattern.test(name);
}

/** The name of the segment that holds the records from this seq on. */
export function segmentName(first: number): string {
  return `journal-${String(first).padStart(9, '0')}.jsonl`;
}

/** The name of a snapshot's file. */
export function snapshotName({ covers, seq, rev }: SnapshotFile): string {
  return `snapshot-${covers}-${seq}-${rev}.json`;
}

/** The name of the file with the ids of trimmed records. */
export function idsName(rev: number): string {
  return `ids-${rev}.json`;
}

/** The files of a run by their names. */
export interface FolderNames {
  /** The first seqs of the segments, in order. */
  readonly segments: readonly number[];
  readonly snapshots: readonly SnapshotFile[];
  /** The revisions that the files of ids were written for. */
  readonly ids: readonly number[];
  /** What was being written when the process ended. */
  readonly unfinished: readonly string[];
}

/** Reads the names in a run's folder; what is not ours is left alone. */
export function readNames(names: readonly string[]): FolderNames {
  return {
    segments: names.flatMap((name) => segmentOf(name) ?? []).toSorted((a, b) => a - b),
    snapshots: names.flatMap((name) => snapshotOf(name) ?? []),
    ids: names.flatMap((name) => idsOf(name) ?? []),
    unfinished: names.filter((name) => name.endsWith(unfinished) && isRunFile(name)),
  };
}

/** Whether a file of that name in a run's folder is ours: people and their programs leave others there. */
export function isRunFile(name: string): boolean {
  const whole = name.endsWith(unfinished) ? name.slice(0, -unfinished.length) : name;
  return segmentOf(whole) !== undefined || snapshotOf(whole) !== undefined || idsOf(whole) !== undefined;
}

function segmentOf(name: string): number | undefined {
  const first = Number(segmentPattern.exec(name)?.[1]);
  return segmentName(first) === name ? first : undefined;
}

function idsOf(name: string): number | undefined {
  const rev = Number(idsPattern.exec(name)?.[1]);
  return idsName(rev) === name ? rev : undefined;
}

function snapshotOf(name: string): SnapshotFile | undefined {
  const [, covers = 0, seq = 0, rev = 0] = (snapshotPattern.exec(name) ?? []).map(Number);
  return snapshotName({ covers, seq, rev }) === name ? { covers, seq, rev } : undefined;
}

/** The path of something in a directory. Names are ours, and none of ours could lead out of it; any other is refused. */
export function pathInside(directory: string, ...names: readonly string[]): string {
  let path = directory;
  for (const name of names) {
    if (!safeName.test(name)) throw unsafe(directory, name);
    path += `${sep}${name}`;
  }
  return path;
}

function unsafe(directory: string, name: string): Error {
  const message = `${JSON.stringify(name)} is not the name of something inside ${directory}.`;
  return holdfastError('HOLDFAST_STORE_UNSAFE', message, { details: { dir: directory, name } });
}
