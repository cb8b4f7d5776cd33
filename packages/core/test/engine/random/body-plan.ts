import * as fc from 'fast-check';

/** A call of a random body. It keeps its id when the body is changed. */
export interface CallPlan {
  readonly type: 'call';
  readonly id: number;
  readonly kind: 'step' | 'once' | 'ask' | 'sleep' | 'receive';
  readonly name: string;
  /** So many tries of a step fail, of three. */
  readonly fails: number;
  /** How many turns of the event loop a step takes. */
  readonly turns: number;
  /** A step that answers a question while it runs, or is cut off the first time by a process that ends. */
  readonly trouble: 'none' | 'answers' | 'dies';
}

/** A part of a random body. */
export type BodyPlan =
  | CallPlan
  | { readonly type: 'sequence' | 'all' | 'race'; readonly parts: readonly BodyPlan[] }
  | { readonly type: 'loop'; readonly times: number; readonly part: BodyPlan }
  /** The node's first try takes one way and fails; later tries take the other. */
  | { readonly type: 'ways'; readonly first: BodyPlan; readonly second: BodyPlan };

const calls = fc.record({
  type: fc.constant('call' as const),
  id: fc.constant(0),
  kind: fc.constantFrom('step', 'step', 'once', 'once', 'ask', 'sleep', 'receive' as const),
  name: fc.constantFrom('a', 'b', 'c'),
  fails: fc.constantFrom(0, 0, 0, 1, 3),
  turns: fc.nat({ max: 3 }),
  trouble: fc.constantFrom('none', 'none', 'none', 'none', 'answers', 'dies' as const),
}) as fc.Arbitrary<CallPlan>;

const { body } = fc.letrec<{ body: BodyPlan }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    calls,
    fc.record({
      type: fc.constantFrom('sequence', 'sequence', 'all', 'race' as const),
      parts: fc.array(tie('body'), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ type: fc.constant('loop' as const), times: fc.integer({ min: 1, max: 3 }), part: tie('body') }),
  ),
}));

/** Bodies whose calls share names. The last call is a question, so that most of them wait at least once. */
export const bodyPlan: fc.Arbitrary<BodyPlan> = fc
  .tuple(body, fc.option(body, { freq: 3 }), calls)
  .map(([main, first, last]) => {
    const parts: readonly BodyPlan[] = [main, { ...last, kind: 'ask', trouble: 'none' }];
    const second: BodyPlan = { type: 'sequence', parts };
    const plan: BodyPlan = first === null ? second : { type: 'ways', first: withoutEffects(first), second };
    return numbered(plan);
  });

/** The same with a name for each call. */
export function withOwnNames(plan: BodyPlan): BodyPlan {
  return mapCalls(plan, (call) =>
    call.kind === 'ask' || call.kind === 'receive' ? call : { ...call, name: `${call.kind}-${call.id}` },
  );
}

/** Changes one call of a body. */
export function changed(plan: BodyPlan, { how, at }: BodyChange): BodyPlan {
  const ids = callsOf(plan).map(({ id }) => id);
  const id = ids[at % ids.length] as number;
  const other = ids[(at + 1) % ids.length] as number;
  const byId = new Map(callsOf(plan).map((call) => [call.id, call]));
  const rewrite = (call: CallPlan): BodyPlan => {
    if (how === 'swap') return byId.get(call.id === id ? other : call.id === other ? id : call.id) as CallPlan;
    if (call.id !== id) return call;
    const inserted: CallPlan = { ...call, id: 1_000, kind: 'once', name: 'inserted', trouble: 'none' };
    if (how === 'insert') return { type: 'sequence', parts: [inserted, call] };
    if (how === 'delete') return { type: 'sequence', parts: [] };
    if (how === 'retype')
      return { ...call, id: 1_000, kind: call.kind === 'sleep' ? 'step' : 'sleep', trouble: 'none' };
    return { ...call, name: call.kind === 'ask' || call.kind === 'receive' ? nextName(call.name) : `new-${call.name}` };
  };
  return mapCalls(plan, rewrite);
}

/** One change of a body. */
export interface BodyChange {
  /** `retype` makes another call of it, with the same name. */
  readonly how: 'rename' | 'insert' | 'delete' | 'swap' | 'retype';
  readonly at: number;
}

export const bodyChange: fc.Arbitrary<BodyChange> = fc.record({
  how: fc.constantFrom('rename', 'rename', 'insert', 'delete', 'swap', 'retype' as const),
  at: fc.nat({ max: 20 }),
});

/** Names of questions and messages are declared. */
function nextName(name: string): string {
  return name === 'a' ? 'b' : name === 'b' ? 'c' : 'a';
}

function withoutEffects(plan: BodyPlan): BodyPlan {
  return mapCalls(plan, (call) => ({ ...call, kind: call.kind === 'once' ? 'step' : call.kind, trouble: 'none' }));
}

function numbered(plan: BodyPlan): BodyPlan {
  let next = 0;
  return mapCalls(plan, (call) => {
    next += 1;
    return { ...call, id: next };
  });
}

function mapCalls(plan: BodyPlan, change: (call: CallPlan) => BodyPlan): BodyPlan {
  switch (plan.type) {
    case 'call':
      return change(plan);
    case 'loop':
      return { ...plan, part: mapCalls(plan.part, change) };
    case 'ways':
      return { ...plan, first: mapCalls(plan.first, change), second: mapCalls(plan.second, change) };
    default:
      return { ...plan, parts: plan.parts.map((part) => mapCalls(part, change)) };
  }
}

function callsOf(plan: BodyPlan): readonly CallPlan[] {
  const found: CallPlan[] = [];
  mapCalls(plan, (call) => {
    found.push(call);
    return call;
  });
  return found;
}
