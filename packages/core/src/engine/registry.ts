import type { CompiledGraph } from '../graph/compile/compiled-graph.ts';
import type { GraphName } from '../store/contract/lease.ts';

/** The code that an engine has, by name and version. */
export class Registry {
  readonly #graphs = new Map<string, Map<number, CompiledGraph>>();
  /** Made when they are asked for: every claim does. */
  #names: readonly GraphName[] | undefined;

  /** The newest of the same name and version is kept: a process that loads its code anew means the new one. */
  add(graph: CompiledGraph): void {
    const versions = this.#graphs.get(graph.name) ?? new Map<number, CompiledGraph>();
    versions.set(graph.version, graph);
    this.#graphs.set(graph.name, versions);
    this.#names = undefined;
    for (const { work } of graph.nodes.values()) if (work.type === 'graph') this.add(work.inner);
  }

  /** The code for a run: its own version while it is there, otherwise the next newer one that can migrate it. */
  find({ graph, version }: { readonly graph: string; readonly version: number }): CompiledGraph | undefined {
    const versions = this.#graphs.get(graph);
    if (versions === undefined) return undefined;
    const own = versions.get(version);
    if (own !== undefined) return own;
    const newer = [...versions.keys()].filter((each) => each > version).toSorted((a, b) => a - b);
    return versions.get(newer[0] ?? Number.NaN) ?? versions.get(Math.max(...versions.keys()));
  }

  /** All of it. */
  all(): readonly CompiledGraph[] {
    return [...this.#graphs.values()].flatMap((versions) => [...versions.values()]);
  }

  /** The runs that this code can go on with; those of other versions stay with those who have them. */
  names(): readonly GraphName[] {
    this.#names ??= this.all().flatMap(({ name, version, migrations }) =>
      [version, ...migrations.keys()].map((each) => ({ name, version: each })),
    );
    return this.#names;
  }
}
