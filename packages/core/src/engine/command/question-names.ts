import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { innerOf, questionNamed, questionNames } from '../../graph/compile/question-named.ts';
import { askNames, chainedNames, nodeNames, type QuestionRenames } from '../../runner/fold/fold-migrate.ts';
import { innerGraph } from '../../runner/fold/payload.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import { renamesFrom } from '../../runner/plan/migrate-run.ts';
import { unknownName } from '../../runner/task/call-errors.ts';

/**
 * The questions of a run by the names that they have in the code at hand. The run may not be migrated to it yet, and
 * whoever answers may know a question by the name that it had before a migration.
 */
export class QuestionNames {
  readonly #state: RunState;
  readonly #graph: CompiledGraph | undefined;
  /** From the names in the run to those in the code. */
  readonly #pending: QuestionRenames;

  constructor(state: RunState, graph: CompiledGraph | undefined) {
    this.#state = state;
    this.#graph = graph;
    this.#pending = graph === undefined ? noRenames : renamesFrom(graph, state.version);
  }

  /** The present name of a question. @throws HOLDFAST_UNKNOWN_QUESTION */
  present(given: string): string {
    const graph = this.#graph;
    if (graph === undefined) return this.#isStored(given) ? given : askNames(this.#done)(given);
    if (questionNamed(graph, given) !== undefined) return given;
    const { nodes, asks } = this.#done;
    const renames = {
      nodes: chainedNames(nodes, this.#pending.nodes),
      asks: chainedNames(asks, this.#pending.asks),
    };
    const renamed = askNames(renames)(given);
    if (questionNamed(graph, renamed) !== undefined) return renamed;
    throw unknownName(graph, 'question', given, questionNames(graph));
  }

  /** Whether a question of the run can be answered by this present name if its id is known. Without the code, the id decides. */
  mayBeNamed(stored: string, present: string): boolean {
    return this.#graph === undefined || this.isNamed(stored, present);
  }

  /** Whether a question of the run, by the name that it has there, is the one with this present name. */
  isNamed(stored: string, present: string): boolean {
    return askNames(this.#pending)(stored) === present;
  }

  /** The child run that asks this question: `node/question`. Undefined if it is the run's own, or not started yet. */
  inner(present: string): InnerQuestion | undefined {
    const slash = present.indexOf('/');
    if (slash === -1) return undefined;
    const node = present.slice(0, slash);
    const childId = this.#openChild(node) ?? this.#lastChild(node);
    if (childId === undefined) return undefined;
    return { childId, name: present.slice(slash + 1), graph: this.#graph && innerOf(this.#graph, node) };
  }

  #openChild(node: string): string | undefined {
    const present = nodeNames(this.#pending);
    for (const { place, child } of this.#state.waits.values()) {
      if (place.name === innerGraph && present(place.node) === node) return child;
    }
    return undefined;
  }

  /** It has ended. It knows whether it was asked, and what was answered. */
  #lastChild(node: string): string | undefined {
    for (const [stored, { wait }] of this.#state.asked) if (this.isNamed(stored, `${node}/`)) return wait;
    return undefined;
  }

  get #done(): QuestionRenames {
    return { nodes: this.#state.renamedNodes, asks: this.#state.renamedAsks };
  }

  #isStored(name: string): boolean {
    const { waits, asked } = this.#state;
    return asked.has(name) || [...waits.values()].some(({ place }) => place.name === name);
  }
}

const noRenames: QuestionRenames = { nodes: new Map(), asks: new Map() };

/** A question of a child run, and the code of the child if it is at hand. */
export interface InnerQuestion {
  readonly childId: string;
  readonly name: string;
  readonly graph: CompiledGraph | undefined;
}
