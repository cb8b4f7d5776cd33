import type { CompiledGraph } from '../graph/compile/compiled-graph.ts';
import type { GraphName } from '../store/contract/lease.ts';

/** The graphs of an engine, by name and version. */
export class Registry {
  readonly #graphs = new Map<string, Map<number, CompiledGraph>>();
  /** Built once: every claim uses them. */
  #names: readonly GraphName[] | undefined;

  /** The last graph with the same name and version wins, so that reloaded code replaces the old. */
  add(graph: CompiledGraph): void {
    const versions = this.#graphs.get(graph.name) ?? new Map<number, CompiledGraph>();
    versions.set(graph.version, graph);
    this.#graphs.set(graph.name, versions);
    this.#names = undefined;
    for (const { work } of graph.nodes.values()) if (work.type === 'graph') this.add(work.inner);
  }

  /**
   * The graph for a run: its own version if available, otherwise the next newer one that can migrate it. Pass the run's
   * state: its header has the version that it was created with, and it may have been migrated since.
   */
  find({ graph, version }: { readonly graph: string; readonly version: number }): CompiledGraph | undefined {
    const versions = this.#graphs.get(graph);
    if (versions === undefined) return undefined;
    const own = versions.get(version);
    if (own !== undefined) return own;
    const newer = [...versions.keys()].filter((each) => each > version).toSorted((a, b) => a - b);
    return versions.get(newer[0] ?? Number.NaN) ?? versions.get(Math.max(...versions.keys()));
  }

  /** Whether there are several versions of the graph. */
  hasVersions({ graph }: { readonly graph: string }): boolean {
    return (this.#graphs.get(graph)?.size ?? 0) > 1;
  }

  /** All graphs. */
  all(): readonly CompiledGraph[] {
    return [...this.#graphs.values()].flatMap((versions) => [...versions.values()]);
  }

  /** Whether any version of the graph is available. */
  has({ graph }: { readonly graph: string }): boolean {
    return this.#graphs.has(graph);
  }

  /**
   * The runs that these graphs may continue, by the version that they were created with: a run of an older version may
   * have been migrated since. Runs of newer versions are left to workers that have them.
   */
  names(): readonly GraphName[] {
    this.#names ??= [...this.#graphs].flatMap(([name, versions]) =>
      versionsUpTo(Math.max(...versions.keys())).map((version) => ({ name, version })),
    );
    return this.#names;
  }
}

/** A claim names every version. Graphs with more of them than this count in another way, such as by date. */
const mostVersions = 64;

function versionsUpTo(last: number): readonly number[] {
  return Array.from({ length: Math.min(last, mostVersions) }, (_, at) => last - at);
}
