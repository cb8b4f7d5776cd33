import { channel, graph, list, map } from 'holdfast';
import type { TapeState } from './reference-runs.ts';

/** A graph that each turn takes two steps further: a list that grows, a map, and a value that is replaced. */
export const tape = graph('tape', { state: { items: list<number>(), page: map<number>(), note: channel<string>() } })
  .node('a', ({ state }) => ({ items: -(state.items.at(-1) ?? 0), page: { a: state.items.length } }))
  .node('b', ({ state }) => ({ note: `after ${state.items.length}`, page: { a: undefined } }))
  .edge('start', 'a')
  .edge('a', 'b')
  .edge('b', 'end')
  .compile();

/** What a turn gives it. */
export function inputOf(value: number): { readonly items: number; readonly page: Readonly<Record<string, number>> } {
  return { items: value, page: { [`k${value % 4}`]: value } };
}

/** What the state becomes with a turn's input. */
export function afterInput({ items, page, note }: TapeState, value: number): TapeState {
  return { items: [...items, value], page: { ...page, [`k${value % 4}`]: value }, note };
}

/** What the nodes that are next, and those after them, make of a state: one state a step. */
export function stepsFrom(state: TapeState, next: readonly string[]): readonly Tape[] {
  if (next.includes('a')) {
    const items = [...state.items, -(state.items.at(-1) ?? 0)];
    const done = { ...state, items, page: { ...state.page, a: state.items.length } };
    return [{ state: done, next: ['b'] }, ...stepsFrom(done, ['b'])];
  }
  if (!next.includes('b')) return [];
  const { a: _, ...page } = state.page;
  return [{ state: { ...state, page, note: `after ${state.items.length}` }, next: [] }];
}

interface Tape {
  readonly state: TapeState;
  readonly next: readonly string[];
}
