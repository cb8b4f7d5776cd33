import type { CompiledGraph } from '../../../graph/compile/compiled-graph.ts';
import { innerOf, questionNamed, questionNames } from '../../../graph/compile/question-named.ts';
import { askNames, chainedNames, nodeNames, type QuestionRenames } from '../../../runner/fold/fold-migrate.ts';
import { innerGraph } from '../../../runner/fold/payload.ts';
import type { RunState } from '../../../runner/fold/run-state.ts';
import { renamesFrom } from '../../../runner/plan/migrate-run.ts';
import { unknownName } from '../../../runner/task/call/call-errors.ts';

/**
 * The questions of a run by the names that they have in the code at hand. The run may not be migrated to it yet, and
 * whoever answers may know a question by the name that it had before a migration.
 */
export class QuestionNames {
  /** The code by which answers are judged. Undefined if there is none, or if the run was migrated past it. */
  readonly code: CompiledGraph | undefined;
  readonly #state: RunState;
  /** The code at hand, of whatever version. */
  readonly #graph: CompiledGraph | undefined;
  /** From the names in the run to those in the code. */
  readonly #pending: QuestionRenames;

  constructor(state: RunState, graph: CompiledGraph | undefined) {
    this.#state = state;
    this.#graph = graph;
    this.code = graph === undefined || graph.version < state.version ? undefined : graph;
    this.#pending = this.code === undefined ? noRenames : renamesFrom(this.code, state.version);
  }

  /** The present name of a question. @throws HOLDFAST_UNKNOWN_QUESTION */
  present(given: string): string {
    const graph = this.code;
    if (graph === undefined) return this.#withoutCode(given);
    if (questionNamed(graph, given) !== undefined) return given;
    const { nodes, asks } = this.#done;
    const renames = {
      nodes: chainedNames(nodes, this.#pending.nodes),
      asks: chainedNames(asks, this.#pending.asks),
    };
    const names = [askNames(renames)(given)];
    // The run may have skipped the version in which the question had this name.
    for (let version = graph.version - 1; version > 0; version -= 1) {
      names.push(askNames(renamesFrom(graph, version))(given));
    }
    const renamed = names.find((name) => questionNamed(graph, name) !== undefined);
    if (renamed === undefined) throw unknownName(graph, 'question', given, questionNames(graph));
    return renamed;
  }

  /** The name in the run of a question that older code, or nobody's, calls like this. */
  #withoutCode(given: string): string {
    const renamed = askNames(this.#done)(given);
    const old = this.#graph;
    if (old === undefined || this.#isStored(given) || this.#isStored(renamed)) {
      return this.#isStored(given) ? given : renamed;
    }
    if (questionNamed(old, given) === undefined) throw unknownName(old, 'question', given, questionNames(old));
    return renamed;
  }

  /** Whether a question of the run can be answered by this present name if its id is known. Without the code, the id decides. */
  mayBeNamed(stored: string, present: string): boolean {
    return this.code === undefined || this.isNamed(stored, present);
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
    return { childId, name: present.slice(slash + 1), graph: this.code && innerOf(this.code, node) };
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
