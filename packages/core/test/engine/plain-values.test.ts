import { inspect } from 'node:util';
import { graph, list, messages } from 'holdfast';
import { expect, test } from 'vitest';
import { all, describeEverywhere } from './every-place.ts';

interface Message {
  readonly id?: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

const printed: string[] = [];

const chat = graph('chat', { state: { log: list<string>(), messages: messages<Message>() } })
  .node('reply', ({ state }) => {
    printed.push(inspect(state));
    return { log: 'replied', messages: { role: 'assistant', content: 'hi' } };
  })
  .edge('start', 'reply')
  .edge('reply', 'end')
  .compile();

describeEverywhere('console.log()', (place) => {
  test('prints the values of lists and messages, in bodies and results', async () => {
    printed.length = 0;
    const engine = await place().open();
    const run = await engine.start(chat, { log: 'began', messages: { role: 'user', content: 'hello' } });
    const result = await run.result();
    expect(printed).toEqual([inspect({ log: ['began'], messages: [{ role: 'user', content: 'hello' }] })]);
    const values = {
      log: ['began', 'replied'],
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi' },
      ],
    };
    expect(inspect(result)).toBe(inspect(values));
    expect(inspect(await run.outcome())).toBe(inspect({ status: 'completed', state: values, output: values }));
    for (const shown of [await run.checkpoint(), ...(await all(run.history()))]) {
      expect(inspect(shown, { depth: 9 })).not.toContain('Getter');
    }
  });
});
