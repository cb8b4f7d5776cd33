import type { OpenWait, RunState, TaskMemo } from './run-state.ts';

/** A copy of the run that can change independently. Frozen values, such as the channels, are shared. */
export function copyRunState(state: RunState): RunState {
  const waits = copied(state.waits, (wait) => ({ ...wait, unchecked: [...wait.unchecked] }));
  return {
    ...state,
    open: copied(state.open, (memo) => copyTask(memo, waits)),
    counts: new Map(state.counts),
    waits,
    endedChildren: new Set(state.endedChildren),
    abandoned: new Set(state.abandoned),
    messages: copied(state.messages, (kept) => [...kept]),
    answers: new Map(state.answers),
    asked: new Map(state.asked),
    turns: [...state.turns],
  };
}

/** In the copy too, a call and the list of open waits share the same wait object. */
function copyTask(memo: TaskMemo, waits: ReadonlyMap<string, OpenWait>): TaskMemo {
  const calls = copied(memo.calls, (call) => ({ ...call, wait: waits.get(call.wait?.id ?? '') }));
  return { ...memo, calls, backoffs: new Map(memo.backoffs), drawn: memo.drawn && new Map(memo.drawn) };
}

function copied<V>(map: ReadonlyMap<string, V>, copy: (value: V) => V): Map<string, V> {
  return new Map(Array.from(map, ([key, value]) => [key, copy(value)]));
}
