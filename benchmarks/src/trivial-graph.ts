import { counter, type Engine, type Graph, graph, list, type Shape } from 'holdfast';

interface LoopShape extends Shape {
  readonly nodes: 'a';
}

/** A graph that does one trivial step after another: the work that peers are given too. */
export function trivialLoop(steps: number): Graph<LoopShape> {
  return graph('loop', { state: { n: counter() } })
    .node('a', () => ({ n: 1 }))
    .edge('start', 'a')
    .route('a', ['a', 'end'], (state) => (state.n >= steps ? 'end' : 'a'))
    .compile();
}

/** The same with a list that grows by one item of so many bytes a step. */
export function growingLoop(steps: number, bytes: number): Graph<LoopShape> {
  const text = 'x'.repeat(bytes);
  return graph('growing', { state: { n: counter(), items: list<string>() } })
    .node('a', () => ({ n: 1, items: text }))
    .edge('start', 'a')
    .route('a', ['a', 'end'], (state) => (state.n >= steps ? 'end' : 'a'))
    .compile();
}

/** One run to its end. */
export async function runToEnd(engine: Engine, loop: Graph<LoopShape>, steps: number): Promise<void> {
  const run = await engine.start(loop, {}, { maxSupersteps: steps + 1 });
  const { status } = await run.outcome();
  if (status !== 'completed') throw new Error(`The run is ${status}.`);
}
