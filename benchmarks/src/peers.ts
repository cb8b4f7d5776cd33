import { existsSync } from 'node:fs';

/** A system that Holdfast is measured beside, doing the same work. */
export interface Peer {
  /** One run of so many trivial steps. */
  run(steps: number): Promise<void>;
  close(): void;
}

interface LangGraphOptions {
  readonly saver: 'memory' | 'sqlite' | 'sqlite-full';
  readonly path?: string;
  /** Each step adds an item of so many bytes to a list. */
  readonly itemBytes?: number;
}

const folder = new URL('../peers/', import.meta.url);

/** LangGraph.js with one of its checkpointers. Peers have an install of their own. */
export async function openLangGraph(options: LangGraphOptions): Promise<Peer> {
  if (!existsSync(new URL('node_modules', folder))) {
    throw new Error('The peers are not installed. Run: npm ci --prefix benchmarks/peers');
  }
  const module = (await import(new URL('langgraph.js', folder).href)) as {
    openLangGraph(options: LangGraphOptions): Promise<Peer>;
  };
  return module.openLangGraph(options);
}
