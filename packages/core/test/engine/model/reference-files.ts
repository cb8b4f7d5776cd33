import { type ModelBase, type ModelRun, type ReferenceRuns, seqOf } from './reference-runs.ts';

/** A run in a file: how much of it is there, and what it stands on. */
interface ModelPart {
  readonly id: string;
  readonly forkedAt: ModelBase | undefined;
  readonly floor: number;
  readonly head: number;
}

/** An exported run with all that it stands on, as the model keeps it. */
export interface ModelFile {
  readonly bytes: Uint8Array;
  readonly root: ModelPart;
  /** The deepest first. */
  readonly bases: readonly ModelPart[];
  readonly history: ModelRun['history'];
  readonly hasEnded: boolean;
  readonly turns: ModelRun['turns'];
}

/** The file that a run is, which ends with this record. */
export function fileOf(
  model: ReferenceRuns,
  run: ModelRun,
  { bytes, head }: { bytes: Uint8Array; head: number },
): ModelFile {
  const { id, forkedAt, floor, history, hasEnded, turns } = run;
  const bases: ModelPart[] = [];
  for (let at = forkedAt; at !== undefined; at = bases[0]?.forkedAt) {
    const below = model.known(at.runId) as ModelRun;
    bases.unshift({ id: at.runId, forkedAt: below.forkedAt, floor: below.floor, head: at.seq });
  }
  return { bytes, root: { id, forkedAt, floor, head }, bases, history, hasEnded, turns };
}

/** What is to come of an import. */
export interface ModelArrival {
  /** How many runs were not there. */
  readonly imported: number;
  /** The run that has arrived, or was there. */
  readonly run: ModelRun;
}

type Place = Pick<ModelRun, 'forkedAt' | 'floor' | 'head' | 'last'>;

/**
 * Brings a file in, under the id of its run or under another one; undefined when that is refused, and then nothing
 * changes.
 */
export function arrive(model: ReferenceRuns, file: ModelFile, id: string): ModelArrival | undefined {
  const own = model.find(id);
  if (own?.isDeleted === false) {
    return own.head === file.root.head ? { imported: 0, run: own } : undefined;
  }
  const places = new Map<string, Place>();
  const there = (runId: string): Place | undefined => places.get(runId) ?? placeOf(model.find(runId));
  for (const part of file.bases) {
    const found = there(part.id);
    const place = found === undefined ? created(part, there) : baseWith(found, part);
    if (place === undefined) return undefined;
    if (place !== found) places.set(part.id, place);
  }
  const root = own === undefined ? created(file.root, there) : shown(own, file.root);
  if (root === undefined) return undefined;
  for (const [runId, place] of places) Object.assign(model.known(runId) as ModelRun, place);
  const run = model.known(id) ?? model.add({ id, history: [], forkedAt: file.root.forkedAt, hasEnded: false });
  const floor = Math.max(root.floor, ...file.bases.map((part) => there(part.id)?.floor ?? 0));
  const history = file.history.filter((each) => seqOf(each.id) >= floor).map((each) => renamed(each, file.root.id, id));
  Object.assign(run, root, { history, hasEnded: file.hasEnded, turns: file.turns, isDeleted: false });
  return { imported: places.size + 1, run };
}

/** A run that continues has all that was ever exported of it, above its floor. */
function placeOf(run: ModelRun | undefined): Place | undefined {
  return run?.isDeleted === false ? { ...run, last: Number.POSITIVE_INFINITY } : run;
}

/** A part that is not there needs what it stands on. */
function created({ forkedAt, floor, head }: ModelPart, there: (runId: string) => Place | undefined): Place | undefined {
  const below = forkedAt === undefined ? undefined : there(forkedAt.runId);
  const stands =
    forkedAt === undefined || (below !== undefined && forkedAt.seq >= below.floor && forkedAt.seq <= below.last);
  return stands ? { forkedAt, floor, head, last: head } : undefined;
}

/** What was cut off here does not come back; what came as the base of another fork may continue further. */
function baseWith(found: Place, { head }: ModelPart): Place | undefined {
  if (head <= found.last) return found;
  return found.last === found.head ? { forkedAt: found.forkedAt, floor: found.floor, head, last: head } : undefined;
}

/** A deleted run that others stand on is seen again, if nothing of it was cut off and nothing came after the file. */
function shown(found: Place, { head }: ModelPart): Place | undefined {
  if (found.last !== found.head || found.head > head) return undefined;
  return { forkedAt: found.forkedAt, floor: found.floor, head, last: head };
}

function renamed(each: ModelRun['history'][number], from: string, to: string): ModelRun['history'][number] {
  return each.id.startsWith(`${from}@`) ? { ...each, id: `${to}@${seqOf(each.id)}` } : each;
}

/** A run that came back may continue otherwise: files of what it became before are of another run. */
export function filesWithout(files: readonly ModelFile[], { id, head }: ModelRun): readonly ModelFile[] {
  return files.filter(({ root, bases }) => [root, ...bases].every((part) => part.id !== id || part.head <= head));
}
