import type { GraphPlan, NodePlan } from './plan.ts';

/** The state of a random graph. */
export interface RandomState {
  readonly visits: number;
  readonly log: readonly string[];
  readonly last: string | undefined;
}

/** All that two interpreters have to agree on. */
export interface Observed {
  readonly status: string;
  readonly code: string | undefined;
  readonly state: RandomState;
  readonly steps: number;
  /** The first, and that after each step. */
  readonly frontiers: readonly (readonly string[])[];
  /** How often the body of each task ran, by `node/item`. */
  readonly ran: Readonly<Record<string, number>>;
}

/** How many items an `each` has at this state. */
export function itemCount({ items }: NodePlan, { visits }: RandomState): number {
  return (visits + items) % 5;
}

/** What an inner graph of two branches writes. */
function innerLog([left, right]: readonly [number, number]): readonly string[] {
  const log: string[] = [];
  for (let step = 0; step < Math.max(left, right); step += 1) {
    if (step < left) log.push(`l${step}`);
    if (step < right) log.push(`r${step}`);
  }
  return [...log, 'both'];
}

/** Where a node goes instead of along its edges; undefined: along them. */
export function gotoTarget({ gotos, gotoEvery, kind }: NodePlan, { visits }: RandomState): string | undefined {
  if (kind !== 'node' || gotos.length === 0 || visits % gotoEvery !== 0) return undefined;
  return gotos[visits % gotos.length];
}

/** What a route picks at this state. */
export function picked(choices: readonly (readonly string[])[], { visits }: RandomState): readonly string[] {
  return choices[visits % choices.length] as readonly string[];
}

/** The update of a task that has done its work, or of its `catch`. */
export function updateOf(plan: NodePlan, item: number | undefined, isCaught: boolean) {
  const name = item === undefined ? plan.name : `${plan.name}/${item}`;
  const inner = plan.kind === 'graph' && !isCaught ? innerLog(plan.inner) : [];
  return { visits: 1, log: [isCaught ? `${name}!` : name, ...inner], ...(plan.writesLast && { last: name }) };
}

/** Runs a plan straight from the rules, one thing after another. */
export function interpret(plan: GraphPlan): Observed {
  return new Reference(plan).run();
}

type Joins = GraphPlan['joins'];

class Reference {
  readonly #plan: GraphPlan;
  readonly #order: readonly string[];
  readonly #joins: Joins;
  readonly #arrived: Set<string>[];
  readonly #ran: Record<string, number> = {};
  #state: RandomState = { visits: 0, log: [], last: undefined };

  constructor(plan: GraphPlan) {
    this.#plan = plan;
    this.#order = plan.nodes.map(({ name }) => name);
    const seen = new Set<string>();
    // The same edge twice is one.
    this.#joins = plan.joins.filter(({ sources, targets }) => {
      const key = `${sources.toSorted().join()}>${targets.toSorted().join()}`;
      return !seen.has(key) && seen.add(key);
    });
    this.#arrived = this.#joins.map(() => new Set());
  }

  run(): Observed {
    let frontier = this.#sorted(this.#plan.edges.flatMap(([from, to]) => (from === 'start' ? [to] : [])));
    const frontiers = [frontier];
    let steps = 0;
    while (frontier.length > 0) {
      if (steps === this.#plan.maxSupersteps) return this.#end('HOLDFAST_MAX_SUPERSTEPS', steps, frontiers);
      const next = this.#step(frontier);
      if (next === undefined) return this.#end('HOLDFAST_NODE_FAILED', steps, frontiers);
      frontier = next;
      frontiers.push(frontier);
      steps += 1;
    }
    return this.#end(undefined, steps, frontiers);
  }

  #end(code: string | undefined, steps: number, frontiers: readonly (readonly string[])[]): Observed {
    const status = code === undefined ? 'completed' : 'failed';
    return { status, code, state: this.#state, steps, frontiers, ran: this.#ran };
  }

  /** One super-step; undefined when a task of it failed for good. */
  #step(frontier: readonly string[]): readonly string[] | undefined {
    const before = this.#state;
    const updates: ReturnType<typeof updateOf>[] = [];
    const leaps = new Map<string, string>();
    let hasFailed = false;
    for (const name of frontier) {
      const node = this.#plan.nodes.find((each) => each.name === name) as NodePlan;
      const items = node.kind === 'each' ? Array.from({ length: itemCount(node, before) }, (_, at) => at) : [undefined];
      for (const item of items) {
        const fate = this.#task(node, item);
        if (fate === 'failed') hasFailed = true;
        else updates.push(updateOf(node, item, fate === 'caught'));
        const target = fate === 'done' ? gotoTarget(node, before) : undefined;
        if (target !== undefined) leaps.set(name, target);
      }
    }
    if (hasFailed) return undefined;
    for (const { visits, log, last } of updates) {
      const { state } = { state: this.#state };
      this.#state = { visits: state.visits + visits, log: [...state.log, ...log], last: last ?? state.last };
    }
    const next = new Set<string>();
    for (const name of frontier) this.#leave(name, leaps.get(name), next);
    this.#fire(next);
    return this.#sorted(next);
  }

  #task(node: NodePlan, item: number | undefined): 'done' | 'caught' | 'failed' {
    const key = item === undefined ? node.name : `${node.name}/${item}`;
    const fails = item === undefined || item === 1 ? node.fails : 0;
    const tries = Math.min(fails + 1, node.attempts);
    this.#ran[key] = (this.#ran[key] ?? 0) + tries;
    if (fails < node.attempts) return 'done';
    return node.hasCatch ? 'caught' : 'failed';
  }

  #leave(name: string, leap: string | undefined, next: Set<string>): void {
    if (leap !== undefined) {
      next.add(leap);
      return;
    }
    for (const [from, to] of this.#plan.edges) if (from === name) next.add(to);
    for (const { from, choices } of this.#plan.routes) {
      if (from === name) for (const to of picked(choices, this.#state)) next.add(to);
    }
    this.#joins.forEach(({ sources }, at) => {
      if (sources.includes(name)) this.#arrived[at]?.add(name);
    });
  }

  /** A join that has begun fires when each source has arrived or can no longer be reached. */
  #fire(next: Set<string>): void {
    for (;;) {
      const begun = this.#joins.map((_, at) => at).filter((at) => (this.#arrived[at]?.size ?? 0) > 0);
      const missing = (at: number): readonly string[] =>
        (this.#joins[at]?.sources ?? []).filter((source) => this.#arrived[at]?.has(source) !== true);
      const complete = begun.filter((at) => missing(at).length === 0);
      const canCome = (at: number, from: Iterable<string>): boolean => {
        const reached = this.#reached(at, from);
        return missing(at).some((source) => reached.has(source));
      };
      const starved = begun.filter((at) => !canCome(at, next));
      // One that another starved one would still feed waits for it.
      const unfed = starved.filter(
        (at) => !starved.some((other) => other !== at && canCome(at, this.#joins[other]?.targets ?? [])),
      );
      const chosen = complete[0] ?? unfed[0] ?? starved[0];
      if (chosen === undefined) return;
      this.#arrived[chosen]?.clear();
      for (const target of this.#joins[chosen]?.targets ?? []) next.add(target);
    }
  }

  /** What can be reached from these nodes without passing through a target of the join, or by the join itself. */
  #reached(join: number, from: Iterable<string>): ReadonlySet<string> {
    const targets = new Set(this.#joins[join]?.targets);
    const reached = new Set(from);
    for (const name of reached) {
      if (targets.has(name)) continue;
      for (const [source, to] of this.#plan.edges) if (source === name) reached.add(to);
      for (const route of this.#plan.routes) {
        if (route.from === name) for (const to of route.choices.flat()) reached.add(to);
      }
      const node = this.#plan.nodes.find((each) => each.name === name);
      if (node?.kind === 'node') for (const to of node.gotos) reached.add(to);
      this.#joins.forEach(({ sources, targets: onwards }, at) => {
        if (at !== join && sources.includes(name)) for (const to of onwards) reached.add(to);
      });
    }
    return reached;
  }

  #sorted(found: Iterable<string>): readonly string[] {
    const all = new Set(found);
    return this.#order.filter((name) => all.has(name));
  }
}
