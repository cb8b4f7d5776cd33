import { change, mutant } from '../mutant.ts';
import { type Checkpoints, type Keepable, type Protection, type RetentionPlan, seams, withCalls } from '../seams.ts';
import { emptyCheckpoint } from './agent.ts';
import { brokenCheckpoints, brokenDriver, brokenFold, brokenSave, firstBy, listed, orElse } from './wrap.ts';

/** Saving under an id that is taken gives what is there, whatever it is. */
const swallowed = (checkpoints: Checkpoints): Partial<Checkpoints> => ({
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
  brokenCheckpoints('the latest is the one with the greatest step', (checkpoints) => ({
    latest: (run) => firstBy(checkpoints, checkpoints.list(run), (a, b) => b.step - a.step),
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
        return { run: String(text).split('@')[0] ?? '', seq: 0 };
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

/** The plan, without this protection. */
function without<C extends Keepable>(
  plan: RetentionPlan<C>,
  checkpoints: readonly C[],
  protection: Protection,
): RetentionPlan<C> {
  const lost = new Set(plan.protectedBy.filter(({ because }) => because === protection).map((one) => one.checkpoint));
  return {
    ...plan,
    drop: checkpoints.filter((checkpoint) => plan.drop.includes(checkpoint) || lost.has(checkpoint.id)),
    retained: plan.retained - lost.size,
    protectedBy: plan.protectedBy.filter(({ checkpoint }) => !lost.has(checkpoint)),
  };
}

export const prune = [
  mutant(
    'prune removes what a fork stands on',
    change(seams.planRetention, (plan) => (options) => without(plan(options), options.checkpoints, 'fork')),
    // The store would refuse it, and prune would look again for ever.
    ...brokenDriver('memory', '', (driver) => ({
      trim: async (plan) => {
        const trimmed = await driver.trim(plan);
        return !trimmed.ok && trimmed.why === 'forks' ? { ok: true, records: 0, snapshots: 0, bytes: 0 } : trimmed;
      },
    })).changes,
  ),
  mutant(
    'prune removes the last checkpoint of a run',
    change(seams.planRetention, (plan) => (options) => without(plan(options), options.checkpoints, 'latest')),
  ),
  mutant(
    'prune does not keep the latest terminal checkpoint',
    change(
      seams.planRetention,
      (plan) => (options) => plan({ ...options, rule: { ...options.rule, keepLatestTerminal: false } }),
    ),
  ),
  mutant(
    'prune removes what covers just as much',
    change(seams.planRetention, (plan) => ({ rule, ...rest }) => {
      const before = rule.before === undefined ? undefined : rule.before + 1;
      return plan({ ...rest, rule: { ...rule, before } });
    }),
  ),
  mutant(
    'prune does not say what protected what',
    change(seams.planRetention, (plan) => (options) => ({ ...plan(options), protectedBy: [] })),
  ),
  brokenCheckpoints('a dry run drops', (checkpoints) => ({
    prune: (run, policy) => checkpoints.prune(run, { ...policy, dryRun: false }),
  })),
  brokenCheckpoints('prune counts an unknown run', (checkpoints) => ({
    prune: async (run, policy) => ({ ...(await checkpoints.prune(run, policy)), runs: 1 }),
  })),
  brokenCheckpoints('prune ignores the status', (checkpoints) => ({
    prune: (run, policy) => checkpoints.prune(run, { ...policy, status: undefined }),
  })),
  brokenCheckpoints('a policy that says nothing drops all', (checkpoints) => ({
    prune: (run, policy) => checkpoints.prune(run, Object.keys(policy).length === 0 ? { keep: 0 } : policy),
  })),
];

export const terminal = [
  mutant(
    'only lower case is terminal',
    change(seams.isTerminal, (isTerminal) => (status) => status === status.toLowerCase() && isTerminal(status)),
  ),
  mutant(
    'cancelled is not terminal',
    change(seams.isTerminal, (isTerminal) => (status) => status !== 'cancelled' && isTerminal(status)),
  ),
  mutant(
    'waiting is terminal',
    change(seams.isTerminal, (isTerminal) => (status) => status === 'waiting' || isTerminal(status)),
  ),
  mutant(
    'saving and pruning disagree',
    change(seams.planRetention, (plan) => ({ checkpoints, ...rest }) => {
      const seen = checkpoints.map((one) => (one.status === 'completed' ? one : { ...one, status: 'running' }));
      return plan({ ...rest, checkpoints: seen });
    }),
  ),
];

export const list = [
  brokenCheckpoints('the second page is the first one', (checkpoints) => ({
    list: (run, options) => checkpoints.list(run, { ...options, before: undefined }),
  })),
  brokenCheckpoints('list ignores the limit', (checkpoints) => ({
    list: (run, options) => checkpoints.list(run, { ...options, limit: undefined }),
  })),
  mutant(
    "runs of a user's own loop are not listed",
    change(
      seams.listRuns,
      (list) =>
        async function* listRuns(parts, query) {
          for await (const summary of list(parts, query)) if (summary.version > 0) yield summary;
        },
    ),
  ),
  brokenCheckpoints('listing from a checkpoint that is not there begins anew', (checkpoints) => ({
    async *list(run, options = {}) {
      yield* await orElse(
        () => listed(checkpoints.list(run, options)),
        'HOLDFAST_NOT_FOUND',
        () => listed(checkpoints.list(run, { ...options, before: undefined })),
      );
    },
  })),
];

export const pending = [
  mutant(
    'the header does not say what a run waits for',
    change(seams.headerOf, (headerOf) => (state, now) => {
      const header = headerOf(state, now);
      return { ...header, waits: header.waits.map((wait) => ({ ...wait, name: '' })) };
    }),
  ),
  brokenFold('the intent of an effect that happens once is forgotten', {
    record: (entry) => (entry.kind === 'intent' ? undefined : entry),
  }),
];

export const saveAndLoad = [
  brokenCheckpoints('of a step that was saved twice, the first is loaded', (checkpoints) => ({
    atStep: async (run, step) => {
      const heads = (await listed(checkpoints.list(run))).filter((head) => head.step === step);
      const oldest = heads.at(-1);
      return oldest && checkpoints.load(oldest.id);
    },
  })),
  brokenCheckpoints('the latest is the first that was saved', (checkpoints) => ({
    latest: (run) => firstBy(checkpoints, checkpoints.list(run), (a, b) => a.seq - b.seq),
  })),
  brokenCheckpoints('for a step that is not there another one is given', (checkpoints) => ({
    atStep: async (run, step) => (await checkpoints.atStep(run, step)) ?? checkpoints.latest(run),
  })),
];

export const listInOrder = [
  brokenCheckpoints('list goes by the steps', (checkpoints) => ({
    async *list(run, options) {
      yield* (await listed(checkpoints.list(run, options))).toSorted((a, b) => b.step - a.step);
    },
  })),
];

export const workflowCheckpoint = [
  brokenSave('the next node is lost', () => ({ next: [] })),
  brokenCheckpoints('only the last is kept', (checkpoints) => ({
    list: (run, options) => checkpoints.list(run, { ...options, limit: 1 }),
  })),
  mutant(
    'what a caller changes later is saved',
    change(seams.checkNewCheckpoint, (check) => (checkpoint) => ({ ...check(checkpoint), state: checkpoint.state })),
  ),
  mutant(
    'an unknown or wrong key is swallowed',
    change(seams.checkNewCheckpoint, (check) => (checkpoint) => {
      try {
        return check(checkpoint);
      } catch {
        return check({ state: checkpoint.state });
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

export const storeErrors = [
  mutant(
    'what may not be read is missing',
    change(seams.openDriver, (open) => async (store, env, how) => {
      const driver = await open(store, env, how);
      return withCalls(driver, {
        runs: (query) => orNothing(driver.runs(query)),
        snapshots: (query) => orNothing(driver.snapshots(query)),
      });
    }),
  ),
  brokenDriver('memory', 'an old fence is as good as the new one', (driver) => ({
    commit: async (batches) => {
      const results = [...(await driver.commit(batches))];
      for (const [at, result] of results.entries()) {
        const batch = batches[at];
        if (result.ok || result.why !== 'fence' || batch === undefined || result.found === undefined) continue;
        const [again] = await driver.commit([{ ...batch, fence: result.found.fence }]);
        if (again !== undefined) results[at] = again;
      }
      return results;
    },
  })),
  brokenCheckpoints('the second of two writers is swallowed', swallowed),
];

/** What was found, or nothing where it may not be read. */
function orNothing<T>(found: Promise<readonly T[]>): Promise<readonly T[]> {
  return found.catch((error: { readonly code?: string }) => {
    if (error.code === 'EACCES') return [];
    throw error;
  });
}
