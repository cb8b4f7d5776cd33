import { type AnyGraph, type Graph, graph, list, type Shape, workflow } from 'holdfast';
import { z } from 'zod';

const ok = { show: z.string(), answer: z.boolean() };

/** Asks three questions of one name, two of them at once. Version 2 has another name for them. */
function judging(version: 1 | 2): AnyGraph {
  const name = questionName(version);
  return graph('judging', {
    state: { log: list<string>() },
    asks: { [name]: ok },
    receives: { go: z.number() },
    version,
    ...(version === 2 && { migrate: { 1: { asks: { approve: 'consent' } } } }),
  })
    .each(
      'both',
      () => [0, 1],
      async (item, c) => ({ log: `${item} ${await c.ask(name, `item ${item}`)}` }),
    )
    .node('again', async (c) => ({ log: `again ${await c.ask(name, 'again')}` }))
    .node('rests', async ({ receive }) => ({ log: `${await receive('go')}` }))
    .edge('start', 'both')
    .edge('both', 'again')
    .edge('again', 'rests')
    .edge('rests', 'end')
    .compile();
}

/** What the questions are called in this version. */
export function questionName(version: 1 | 2): 'approve' | 'consent' {
  return version === 1 ? 'approve' : 'consent';
}

/** Both versions, by their number. */
export const judgingAt: Readonly<Record<1 | 2, AnyGraph>> = { 1: judging(1), 2: judging(2) };

/** The child of the other run. */
export const part: AnyGraph = workflow('part', { input: z.object({}), asks: { ok } }, (_, c) => c.ask('ok', 'q'));

/** Waits for its child, which waits for an answer. */
export const whole: AnyGraph = workflow('whole', { input: z.object({}) }, (_, c) =>
  c.child('part', part as Graph<Shape>, {}),
);
