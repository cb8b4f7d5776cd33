import { counter, type Engine, graph, type RunEvent, workflow } from 'holdfast';
import { z } from 'zod';
import { all, gate } from '../../engine/every-place.ts';

/** Something that writes, whose connection is cut. None brings an id: only the store can know whether it happened. */
export interface Operation {
  readonly name: string;
  /** What has to exist before. */
  readonly prepare: (engine: Engine, id: string) => Promise<unknown>;
  readonly act: (engine: Engine, id: string) => Promise<unknown>;
  /** How often it has happened: once is right. */
  readonly count: (engine: Engine, id: string) => Promise<number>;
}

const supersteps = 2;
/** How often the body of each run was executed. */
const bodies = new Map<string, number>();
/** Opened when the run may commit. */
const gates = new Map<string, ReturnType<typeof gate>>();

const stepping = graph('stepping', { state: { id: z.string(), n: counter() } })
  .node('one', async ({ state: { id } }) => {
    bodies.set(id, (bodies.get(id) ?? 0) + 1);
    await gates.get(id)?.opened;
    return { n: 1 };
  })
  .edge('start', 'one')
  .route('one', ['one', 'end'], ({ n }) => (n < supersteps ? 'one' : 'end'))
  .compile();

const asks = { ok: { show: z.string(), answer: z.number() } };
const asking = workflow('asking', { input: z.object({}), asks }, (_, { ask }) => ask('ok', 'May I?'));

async function eventsOf(engine: Engine, id: string, type: RunEvent['type']): Promise<number> {
  const events = await all(engine.get(id).events({ until: 'idle' }));
  return events.filter((event) => event.type === type).length;
}

/** The operations whose every message is cut. */
export const operations: readonly Operation[] = [
  {
    name: 'append',
    prepare: (engine, id) => engine.journal.append(id, { payload: 'first' }),
    act: (engine, id) => engine.journal.append(id, { payload: 'cut' }),
    count: async (engine, id) => (await all(engine.journal.read(id))).filter(({ payload }) => payload === 'cut').length,
  },
  {
    name: 'commit',
    prepare: (engine, id) => {
      gates.set(id, gate());
      return engine.start(stepping, { id, n: 0 }, { id });
    },
    act: (engine, id) => {
      gates.get(id)?.open();
      return engine.get(stepping, id).result();
    },
    count: async (engine, id) => {
      const { n } = (await engine.get(stepping, id).outcome()).state;
      const written = await eventsOf(engine, id, 'node-end');
      const executed = bodies.get(id);
      return n === supersteps && written === supersteps ? (executed ?? 0) / supersteps : 0;
    },
  },
  {
    name: 'start',
    prepare: async () => undefined,
    act: (engine, id) => engine.start(asking, {}, { tags: { of: id } }).outcome(),
    count: async (engine, id) => (await all(engine.runs({ tags: { of: id } }))).length,
  },
  {
    name: 'answer',
    prepare: (engine, id) => engine.start(asking, {}, { id }).outcome(),
    act: async (engine, id) => {
      await engine.get(asking, id).answer('ok', 7);
      return engine.get(asking, id).result();
    },
    count: async (engine, id) => {
      const outcome = await engine.get(asking, id).outcome();
      return outcome.status === 'completed' ? eventsOf(engine, id, 'wait-end') : 0;
    },
  },
  {
    name: 'fork',
    prepare: (engine, id) => engine.start(asking, {}, { id }).outcome(),
    act: async (engine, id) => engine.get(asking, id).fork().outcome(),
    count: async (engine, id) => (await all(engine.runs({ forkOf: id }))).length,
  },
];
