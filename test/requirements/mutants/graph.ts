import { change, type Mutant, mutant } from '../mutant.ts';
import { seams } from '../seams.ts';
import { brokenFold, listed, type Original, withPayload } from './wrap.ts';

type Frontier = Original<typeof seams.nextFrontier>;
type HistoryCheckpoint = ReturnType<Original<typeof seams.readHistory>> extends AsyncGenerator<infer C> ? C : never;

/** Nodes end with other gotos. */
function brokenGotos(
  breaks: string,
  ends: (ended: Parameters<Frontier>[0]['ended']) => Parameters<Frontier>[0]['ended'],
): Mutant {
  const broken = change(seams.nextFrontier, (next) => (options) => next({ ...options, ended: ends(options.ended) }));
  return mutant(breaks, broken);
}

/** A run's history is shown differently. */
function brokenHistory(
  breaks: string,
  shown: (checkpoints: readonly HistoryCheckpoint[]) => readonly HistoryCheckpoint[],
): Mutant {
  const broken = change(
    seams.readHistory,
    (read) =>
      async function* readHistory(context, options) {
        yield* shown(await listed(read(context, options)));
      },
  );
  return mutant(breaks, broken);
}

/** A run is taken to have done more super-steps, or fewer, than it has. */
function brokenLimit(breaks: string, more: number): Mutant {
  const broken = change(
    seams.stepLimit,
    (limit) => (graph, state, clock) =>
      limit(graph, { ...state, turn: { ...state.turn, steps: state.turn.steps + more } }, clock),
  );
  return mutant(breaks, broken);
}

export const builder = [
  mutant(
    'only the first problem is told',
    change(seams.invalidGraph, (invalid) => (kind, name, problems) => invalid(kind, name, problems.slice(0, 1))),
  ),
  mutant(
    'a node without a way out compiles',
    change(seams.connect, (connect) => (draft, problems) => {
      const wiring = connect(draft, problems);
      return { ...wiring, leaving: new Set(wiring.ways.keys()) };
    }),
  ),
  mutant(
    'a route always picks its first target',
    change(seams.exitsOf, (exitsOf) => (ways, joins) => {
      const exits = exitsOf(ways, joins);
      return { ...exits, routes: exits.routes.map((route) => ({ ...route, pick: () => [...route.targets][0] })) };
    }),
  ),
];

export const outputs = [
  brokenGotos('after a goto the edges are taken too', (ended) =>
    ended.flatMap((each) => (each.gotos.length > 0 ? [each, { ...each, gotos: [] }] : [each])),
  ),
  brokenGotos('a goto is not followed', (ended) => ended.map((each) => ({ ...each, gotos: [] }))),
  mutant(
    'a target that is no node compiles',
    change(seams.connect, (connect) => (draft, problems) => {
      const names = new Set(['end', ...draft.nodes.map(({ name }) => name)]);
      const nodes = draft.nodes.map((node) => ({
        ...node,
        to: new Set([...node.to].filter((target) => names.has(target))),
      }));
      return connect({ ...draft, nodes }, problems);
    }),
  ),
];

export const outcome = [
  brokenFold('the answer does not reach the node', {
    record: (entry) => (entry.kind === 'answer' ? withPayload(entry, { value: 'another answer' }) : entry),
  }),
  brokenFold('what was shown is lost', {
    record: (entry) => (entry.kind === 'wait' ? withPayload(entry, { show: undefined }) : entry),
  }),
  mutant(
    'a completed run has no state',
    change(seams.outcomeOf, (outcomeOf) => async (store, standing) => {
      const found = await outcomeOf(store, standing);
      return found.status === 'completed' ? { ...found, state: {} } : found;
    }),
  ),
];

export const resumeAndHistory = [
  mutant(
    'a pause is not heeded',
    change(seams.pauseBefore, () => () => undefined),
  ),
  mutant(
    'a fork begins at the head, whatever it was told',
    change(
      seams.forkRun,
      (fork) => (parts, header, graph, options) => fork(parts, header, graph, { ...options, at: undefined }),
    ),
  ),
  mutant(
    'history ignores the limit',
    change(seams.readHistory, (read) => (context, options) => read(context, { ...options, limit: undefined })),
  ),
  brokenHistory('history gives the oldest first', (checkpoints) => checkpoints.toReversed()),
];

export const everySuperstep = [
  brokenHistory('only the beginning and the end can be looked at', (checkpoints) =>
    checkpoints.filter((_, at) => at === 0 || at === checkpoints.length - 1),
  ),
  brokenHistory('a checkpoint does not say what comes next', (checkpoints) =>
    checkpoints.map((checkpoint) => ({ ...checkpoint, next: [] })),
  ),
];

export const limit = [
  brokenLimit('one super-step more than the limit is done', -1),
  brokenLimit('finishing on exactly the limit is too late', 1),
  brokenFold('the count begins anew with every resume', {
    after: (state, { kind }) => {
      if (kind === 'resume') state.turn = { ...state.turn, steps: 0 };
    },
  }),
  brokenFold('a higher limit is not heeded', {
    record: (entry) => (entry.kind === 'resume' ? withPayload(entry, { maxSupersteps: undefined }) : entry),
  }),
];

export const missing = [
  mutant(
    'a checkpoint that is not there is the head',
    change(seams.placeIn, (placeIn) => (segments, header, at) => {
      try {
        return placeIn(segments, header, at);
      } catch {
        return header.head;
      }
    }),
  ),
  mutant(
    'a fork continues at a node that is not there',
    change(seams.forkRun, (fork) => (parts, header, graph, options) => {
      const next = options.next?.filter((node) => graph?.nodes.has(node));
      return fork(parts, header, graph, { ...options, next });
    }),
  ),
];

export const finalState = [
  mutant(
    'what the last node wrote is not saved',
    change(seams.finishStep, (finish) => (options) => {
      const finished = finish(options);
      return finished.isLast ? { ...finished, payload: { ...finished.payload, delta: undefined } } : finished;
    }),
  ),
  mutant(
    'a completed run runs its last node again',
    change(seams.resumeRun, (resume) => async (parts, run, options) => {
      const header = await parts.store.header(run);
      const graph = header && parts.registry.find(header);
      const last = [...(graph?.nodes.values() ?? [])].at(-1);
      if (header?.status === 'completed' && last?.work.type === 'node') await last.work.run({});
      return resume(parts, run, options);
    }),
  ),
];

/** Where each run began. */
const beginnings = new Map<string, readonly string[]>();

export const resumeWithResults = [
  brokenFold('the results of finished steps are lost', {
    record: (entry) => (entry.kind === 'result' ? undefined : entry),
  }),
  brokenFold('a resumed run begins anew', {
    after: (state, { kind }, isRead) => {
      if (kind === 'run-start') beginnings.set(state.runId, state.frontier);
      if (kind === 'superstep' && isRead) state.frontier = beginnings.get(state.runId) ?? state.frontier;
    },
  }),
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
