import { change, type Mutant, mutant } from '../mutant.ts';
import { type Checkpoint, seams } from '../seams.ts';
import { brokenCheckpoints, emptyCheckpoint, firstBy, type Original, orElse } from './wrap.ts';

type Methods = Pick<
  Awaited<ReturnType<Original<typeof seams.openAgent>>>,
  'task' | 'shutdown' | 'transition' | 'checkpoint'
>;
type Metadata = NonNullable<ReturnType<Original<typeof seams.momentToSave>>['metadata']>;

/** An agent with some of its methods done differently. */
function brokenAgent(breaks: string, methods: (agent: Methods) => Partial<Methods>): Mutant {
  const broken = change(seams.openAgent, (open) => async (engine, options) => {
    const agent = await open(engine, options);
    const originals: Methods = {
      task: agent.task.bind(agent),
      shutdown: agent.shutdown.bind(agent),
      transition: agent.transition.bind(agent),
      checkpoint: agent.checkpoint.bind(agent),
    };
    return Object.assign(agent, methods(originals));
  });
  return mutant(breaks, broken);
}

/** What an agent saves has other metadata. */
function brokenMoment(breaks: string, metadataOf: (metadata: Metadata) => Metadata): Mutant {
  const broken = change(seams.momentToSave, (momentOf) => (agent) => {
    const moment = momentOf(agent);
    return { ...moment, metadata: metadataOf(moment.metadata ?? {}) };
  });
  return mutant(breaks, broken);
}

/** A checkpoint's record is read as another one. */
function brokenRecord(breaks: string, fields: Partial<ReturnType<Original<typeof seams.decodeEntry>>>): Mutant {
  const broken = change(seams.decodeEntry, (decode) => (place, text, read) => {
    const entry = decode(place, text, read);
    return entry.kind === 'checkpoint' ? { ...entry, ...fields } : entry;
  });
  return mutant(breaks, broken);
}

export const checkpointOfAgent = [
  brokenMoment('work in flight is counted but not named', (metadata) => ({
    ...metadata,
    custom: { ...(metadata.custom as object), unfinished: [] },
  })),
  brokenMoment('work in flight is not counted', (metadata) => ({ ...metadata, inFlightTasks: 0 })),
  mutant(
    'the version is 0 by default',
    change(seams.checkNewCheckpoint, (check) => (checkpoint, options) => {
      const given = check(checkpoint, options);
      const version = checkpoint.metadata?.version ?? 0;
      return { ...given, metadata: { ...given.metadata, version } };
    }),
  ),
];

export const labelledRecord = [
  brokenRecord('the record has no label', { labels: [] }),
  brokenRecord('the record has another source', { source: 'output' }),
  brokenRecord("the record's meta lacks the metadata", { meta: {} }),
  brokenMoment("the record's meta does not name the agent", (metadata) => ({
    ...metadata,
    custom: { ...(metadata.custom as object), agent: undefined },
  })),
];

export const recoverHoweverOld = [
  brokenCheckpoints('only the last 100 records are looked at', (checkpoints, { store }) => ({
    latest: async (run) => {
      const [found, header] = await Promise.all([checkpoints.latest(run), store.header(run)]);
      return (header?.head ?? 0) - (found?.seq ?? 0) > 100 ? undefined : found;
    },
  })),
  mutant(
    'the journal is read to find the checkpoint',
    change(seams.openAgent, (open) => async (engine, options) => {
      await engine.journal.tail(options.id, 1, { kind: 'checkpoint' });
      return open(engine, options);
    }),
  ),
];

export const corruptCheckpoint = [
  mutant(
    'behind a corrupt checkpoint nothing is found',
    change(seams.createCheckpoints, (create) => (options) => {
      let isWarned = false;
      const warn = (text: string): void => {
        isWarned = true;
        options.env.warn(text);
      };
      const checkpoints = create({ ...options, env: { ...options.env, warn } });
      const latest = async (run: string): Promise<Checkpoint | undefined> => {
        const found = await checkpoints.latest(run);
        return isWarned ? undefined : found;
      };
      return { ...checkpoints, latest };
    }),
  ),
  mutant(
    'a corrupt checkpoint is passed over in silence',
    change(
      seams.createCheckpoints,
      (create) => (options) => create({ ...options, env: { ...options.env, warn: () => {} } }),
    ),
  ),
];

export const firstLife = [
  brokenCheckpoints('an agent in its first life has recovered something', (checkpoints) => ({
    latest: async (run) => (await checkpoints.latest(run)) ?? emptyCheckpoint(run),
  })),
];

export const latestByJournal = [
  brokenCheckpoints('the latest is the one with the latest time', (checkpoints) => ({
    latest: (run) => firstBy(checkpoints, checkpoints.list(run), (a, b) => b.at.getTime() - a.at.getTime()),
  })),
];

export const lifecycle = [
  mutant(
    'an agent is activated before it has booted',
    change(
      seams.nextPhase,
      (next) => (agent, phase, event) =>
        phase === 'init' && event === 'activate' ? 'active' : next(agent, phase, event),
    ),
  ),
  mutant(
    'a suspended agent resumes as ready',
    change(
      seams.nextPhase,
      (next) => (agent, phase, event) =>
        event === 'resume' && phase === 'suspended' ? 'ready' : next(agent, phase, event),
    ),
  ),
  mutant(
    'a retiring agent cannot be aborted',
    change(
      seams.nextPhase,
      (next) => (agent, phase, event) => next(agent, phase, phase === 'retiring' && event === 'abort' ? 'boot' : event),
    ),
  ),
  mutant(
    'a recovered agent begins at init',
    change(seams.recoveredAgent, (recover) => (checkpoint) => ({ ...recover(checkpoint), phase: 'init' })),
  ),
  brokenAgent('a refused transition writes a checkpoint', ({ transition, checkpoint }) => ({
    transition: (event) =>
      orElse(
        () => transition(event),
        'HOLDFAST_INVALID_TRANSITION',
        async () => {
          await checkpoint(event);
          return transition(event);
        },
      ),
  })),
];

export const shutdown = [
  brokenAgent('new work is taken while draining', ({ task }) => ({
    task: (name, fn) =>
      orElse(
        () => task(name, fn),
        'HOLDFAST_DRAINING',
        () => fn(new AbortController().signal),
      ),
  })),
  brokenAgent('a shutdown does not wait for what is in flight', ({ shutdown }) => ({
    shutdown: (options) => shutdown({ ...options, drain: 0 }),
  })),
  brokenAgent('a shutdown does not say what remains', ({ shutdown }) => ({
    shutdown: async (options) => ({ ...(await shutdown(options)), unfinished: [] }),
  })),
  mutant(
    'engine.work leaves at once what is in flight',
    change(seams.workUntil, (work) => (parts, options) => {
      const isAborted = new Promise<void>((resolve) => {
        options.signal.addEventListener('abort', () => resolve());
      });
      return Promise.race([work(parts, options), isAborted]);
    }),
  ),
];
