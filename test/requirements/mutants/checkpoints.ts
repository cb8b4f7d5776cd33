import { change, mutant } from '../mutant.ts';
import { type Checkpoints, seams } from '../seams.ts';
import { brokenCheckpoints, brokenSave, emptyCheckpoint, firstBy, listed, listing, orElse } from './wrap.ts';

/** Saving under an id that is taken gives what is there, whatever it is. */
export const swallowed = (checkpoints: Checkpoints): Partial<Checkpoints> => ({
  save: (run, checkpoint) =>
    orElse(
      () => checkpoints.save(run, checkpoint),
      'HOLDFAST_ID_TAKEN',
      ({ cursor }) => ({ id: cursor as string, covers: 0, terminal: false }),
    ),
});

/** Whether a checkpoint of that alias is there. */
async function isKnown(checkpoints: Checkpoints, run: string, id: string | undefined): Promise<boolean> {
  return id !== undefined && (await checkpoints.load(`${run}@${id}`)) !== undefined;
}

export const coversAtMost = [
  brokenCheckpoints('a checkpoint that covers too much is saved', (checkpoints) => ({
    save: (run, checkpoint) =>
      orElse(
        () => checkpoints.save(run, checkpoint),
        'HOLDFAST_COVERS_TOO_MUCH',
        ({ latest }) => checkpoints.save(run, { ...checkpoint, covers: latest as number }),
      ),
  })),
  brokenSave('a checkpoint covers nothing unless it says so', ({ covers }) => ({ covers: covers ?? 0 })),
  brokenCheckpoints('what a checkpoint covers is read before its commit', (checkpoints, { store }) => ({
    save: async (run, checkpoint) => {
      const { covers = (await store.header(run))?.head ?? 0 } = checkpoint;
      return checkpoints.save(run, { ...checkpoint, covers });
    },
  })),
];

export const sameId = [
  brokenCheckpoints('other content under the same id is swallowed', swallowed),
  brokenCheckpoints('the same again is saved again', (checkpoints) => ({
    save: async (run, checkpoint) => {
      const isAgain = await isKnown(checkpoints, run, checkpoint.id);
      const saved = await checkpoints.save(run, checkpoint);
      return isAgain ? checkpoints.save(run, { ...checkpoint, id: undefined }) : saved;
    },
  })),
  brokenCheckpoints('the same again moves what it covers', (checkpoints, { store }) => ({
    save: async (run, checkpoint) => {
      const isAgain = await isKnown(checkpoints, run, checkpoint.id);
      const saved = await checkpoints.save(run, checkpoint);
      return isAgain ? { ...saved, covers: (await store.header(run))?.head ?? 0 } : saved;
    },
  })),
];

export const order = [
  mutant(
    'the order is by place alone',
    change(seams.compareSnapshots, () => (a, b) => a.seq - b.seq),
  ),
  mutant(
    'of those that cover as much, the first saved is the latest',
    change(seams.compareSnapshots, () => (a, b) => a.covers - b.covers || b.seq - a.seq),
  ),
  brokenCheckpoints('the latest is the one with the greatest super-step', (checkpoints) => ({
    latest: (run) => firstBy(checkpoints, checkpoints.list(run), (a, b) => b.superstep - a.superstep),
  })),
];

/** A cursor of the same run at another place. */
function moved(cursor: string, place: (seq: number) => number): string {
  const at = cursor.indexOf('@');
  return `${cursor.slice(0, at)}@${place(Number(cursor.slice(at + 1)))}`;
}

export const atOrBefore = [
  mutant(
    'a cursor that does not parse is the beginning',
    change(seams.parseCursor, (parse) => (text) => {
      try {
        return parse(text);
      } catch {
        return { runId: String(text).split('@')[0] ?? '', seq: 0 };
      }
    }),
  ),
  brokenCheckpoints('atOrBefore ignores the cursor', (checkpoints) => ({
    atOrBefore: (cursor) => checkpoints.atOrBefore(moved(cursor, (seq) => seq + 1_000)),
  })),
  brokenCheckpoints('atOrBefore is before', (checkpoints) => ({
    atOrBefore: (cursor) => checkpoints.atOrBefore(moved(cursor, (seq) => Math.max(0, seq - 1))),
  })),
];

export const list = [
  brokenCheckpoints('the second page is the first one', (checkpoints) => ({
    list: listing((run, options) => checkpoints.list(run, { ...options, before: undefined })),
  })),
  brokenCheckpoints('list ignores the limit', (checkpoints) => ({
    list: listing((run, options) => checkpoints.list(run, { ...options, limit: undefined })),
  })),
  mutant(
    'journal runs are not listed',
    change(
      seams.listRuns,
      (list) =>
        async function* listRuns(parts, query) {
          for await (const summary of list(parts, query)) if (summary.version > 0) yield summary;
        },
    ),
  ),
  brokenCheckpoints('listing from a checkpoint that is not there begins anew', (checkpoints) => ({
    list: listing(async function* list(run, options = {}) {
      yield* await orElse(
        () => listed(checkpoints.list(run, options)),
        'HOLDFAST_NOT_FOUND',
        () => listed(checkpoints.list(run, { ...options, before: undefined })),
      );
    }),
  })),
];

export const saveAndLoad = [
  brokenCheckpoints('of a super-step that was saved twice, the first is loaded', (checkpoints) => ({
    atSuperstep: async (runId, superstep) => {
      const heads = (await listed(checkpoints.list(runId))).filter((head) => head.superstep === superstep);
      const oldest = heads.at(-1);
      return oldest && checkpoints.load(oldest.id);
    },
  })),
  brokenCheckpoints('the latest is the first that was saved', (checkpoints) => ({
    latest: (run) => firstBy(checkpoints, checkpoints.list(run), (a, b) => a.seq - b.seq),
  })),
  brokenCheckpoints('for a super-step that is not there another one is given', (checkpoints) => ({
    atSuperstep: async (runId, superstep) =>
      (await checkpoints.atSuperstep(runId, superstep)) ?? checkpoints.latest(runId),
  })),
];

export const listInOrder = [
  brokenCheckpoints('list goes by the super-steps', (checkpoints) => ({
    list: listing(async function* list(run, options) {
      yield* (await listed(checkpoints.list(run, options))).toSorted((a, b) => b.superstep - a.superstep);
    }),
  })),
];

export const workflowCheckpoint = [
  brokenSave('the next node is lost', () => ({ next: [] })),
  brokenCheckpoints('only the last is kept', (checkpoints) => ({
    list: listing((run, options) => checkpoints.list(run, { ...options, limit: 1 })),
  })),
  mutant(
    'what a caller changes later is saved',
    change(seams.checkNewCheckpoint, (check) => (checkpoint, options) => ({
      ...check(checkpoint, options),
      state: checkpoint.state,
    })),
  ),
  mutant(
    'an unknown or wrong key is swallowed',
    change(seams.checkNewCheckpoint, (check) => (checkpoint, options) => {
      try {
        return check(checkpoint, options);
      } catch (error) {
        if (!(checkpoint instanceof Object)) throw error;
        return check({ state: checkpoint.state ?? {} }, options);
      }
    }),
  ),
];

export const savesAndIds = [
  brokenCheckpoints('deleting a run that is not there is true', (checkpoints) => ({
    delete: async (run) => (await checkpoints.delete(run)) || true,
  })),
  brokenCheckpoints('the latest of a run that is not there is made up', (checkpoints) => ({
    latest: async (run) => (await checkpoints.latest(run)) ?? emptyCheckpoint(run),
  })),
  mutant(
    'any text is an id',
    change(
      seams.isRunId,
      () =>
        (value): value is string =>
          typeof value === 'string',
    ),
  ),
  mutant(
    'a name that every object has is an id',
    change(
      seams.isRunId,
      (isRunId) =>
        (value): value is string =>
          isRunId(value) || (typeof value === 'string' && value in Object.prototype),
    ),
  ),
  {
    ...mutant(
      'checksums are not looked at',
      change(seams.checksum, () => () => 0),
    ),
    store: 'sqlite' as const,
  },
  brokenCheckpoints('deleting a run leaves it there', (checkpoints) => ({
    delete: async (run) => (await checkpoints.latest(run)) !== undefined,
  })),
];

export const keyOfCheckpoint = [
  brokenSave('the label is lost', () => ({ label: '' })),
  brokenSave('the super-step is counted, whatever was given', () => ({ superstep: undefined })),
  brokenSave('the workflow is lost', () => ({ graph: '' })),
];
