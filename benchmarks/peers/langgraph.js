// LangGraph.js with one of its checkpointers, doing the work that Holdfast is measured with.

import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import pg from 'pg';

/**
 * @param {{ saver: 'memory' | 'sqlite' | 'sqlite-full' | 'postgres', path?: string, itemBytes?: number }} options
 * `sqlite` is the checkpointer's default (WAL, NORMAL: not durable against power loss), `sqlite-full` syncs every commit.
 */
export async function openPeer({ saver, path, itemBytes }) {
  const checkpointer = await openSaver(saver, path);
  const State = Annotation.Root({
    n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
    steps: Annotation({ reducer: (_, b) => b, default: () => 0 }),
    ...(itemBytes !== undefined && { items: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }) }),
  });
  const itemsOf = ({ n }) => [`${n} `.padEnd(itemBytes, 'abcdefghijklmnopqrstuvwxyz')];
  const app = new StateGraph(State)
    .addNode('a', (state) => (itemBytes === undefined ? { n: 1 } : { n: 1, items: itemsOf(state) }))
    .addEdge(START, 'a')
    .addConditionalEdges('a', (state) => (state.n >= state.steps ? END : 'a'), ['a', END])
    .compile({ checkpointer });
  let threads = 0;
  return {
    /** One run of so many trivial steps. */
    async run(steps) {
      threads += 1;
      const config = { configurable: { thread_id: `t${threads}` }, recursionLimit: steps + 10 };
      const state = await app.invoke({ n: 0, steps }, config);
      if (state.n !== steps) throw new Error(`LangGraph did ${state.n} steps of ${steps}`);
    },
    async close() {
      checkpointer.db?.close();
      await checkpointer.end?.();
    },
  };
}

async function openSaver(saver, path) {
  if (saver === 'memory') return new MemorySaver();
  if (saver === 'postgres') return openPostgresSaver(path);
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  const checkpointer = SqliteSaver.fromConnString(path);
  if (saver === 'sqlite-full') checkpointer.db.pragma('synchronous = FULL');
  return checkpointer;
}

/** A pool as large as Holdfast's: the saver's own is smaller. */
async function openPostgresSaver(url) {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
  const checkpointer = new PostgresSaver(new pg.Pool({ connectionString: url, max: 16 }));
  await checkpointer.setup();
  return checkpointer;
}
