import type { CompiledGraph } from '../../../graph/compile/compiled-graph.ts';
import type { RunState } from '../../../runner/fold/run-state.ts';
import { formerMessages } from '../../../runner/plan/migrate-run.ts';
import type { RunHeader } from '../../../store/contract/run.ts';

/** Remembers the names of at most this many runs. */
const mostKept = 1_000;

interface Known {
  /** A run is migrated only by a worker that has claimed it. */
  readonly fence: number;
  readonly renamed: RunState['renamedMessages'];
}

/** A message that was sent. */
interface Sent {
  readonly header: RunHeader;
  readonly name: string;
  readonly graph: CompiledGraph | undefined;
  /** Reads the run. */
  readonly load: () => Promise<RunState>;
}

/**
 * Which messages runs wait for, by any name that a message has had. The run may not be migrated to the code at hand yet, and
 * whoever sends may know a message by the name that it had before a migration. A run is read once between two claims, and
 * only if it waits for a message of another name.
 */
export class MessageNames {
  readonly #known = new Map<string, Known>();

  async isAwaited({ header, name, graph, load }: Sent): Promise<boolean> {
    const awaited = header.waits.filter(({ kind }) => kind === 'receive').map((wait) => wait.name);
    if (awaited.includes(name)) return true;
    if (awaited.length === 0) return false;
    const present = (given: string): string =>
      graph === undefined ? given : (formerMessages(graph, new Map()).get(given) ?? given);
    if (graph !== undefined && awaited.map(present).includes(present(name))) return true;
    const renamed = (await this.#renamedIn(header, load)).get(name);
    return renamed !== undefined && awaited.includes(renamed);
  }

  async #renamedIn({ runId, fence }: RunHeader, load: Sent['load']): Promise<RunState['renamedMessages']> {
    const known = this.#known.get(runId);
    if (known?.fence === fence) return known.renamed;
    const { renamedMessages: renamed } = await load();
    this.#known.delete(runId);
    this.#known.set(runId, { fence, renamed });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
    return renamed;
  }
}
