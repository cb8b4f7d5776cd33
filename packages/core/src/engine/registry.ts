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

  /** The graph for a run: its own version if available, otherwise the next newer one that can migrate it. */
  find({ graph, version }: { readonly graph: string; readonly version: number }): CompiledGraph | undefined {
    const versions = this.#graphs.get(graph);
    if (versions === undefined) return undefined;
    const own = versions.get(version);
    if (own !== undefined) return own;
    const newer = [...versions.keys()].filter((each) => each > version).toSorted((a, b) => a - b);
    return versions.get(newer[0] ?? Number.NaN) ?? versions.get(Math.max(...versions.keys()));
  }

  /** All graphs. */
  all(): readonly CompiledGraph[] {
    return [...this.#graphs.values()].flatMap((versions) => [...versions.values()]);
  }

  /** The versions that these graphs can continue. Workers with other versions continue the rest. */
  names(): readonly GraphName[] {
    this.#names ??= this.all().flatMap(({ name, version, migrations }) =>
      [version, ...migrations.keys()].map((each) => ({ name, version: each })),
    );
    return this.#names;
  }
}
