import { join } from 'node:path';
import { type AgentPhase, openAgent, openEngine } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

/** An agent that boots, counts a ticket and then has a task in flight for so long. */
const agent = `
import { openAgent, openEngine } from 'holdfast';
const [url, taskMs, tells] = process.argv.slice(2);
const engine = await openEngine(url);
const agent = await openAgent(engine, { id: 'clerk', initial: { handled: 0 }, signals: true });
if (tells !== undefined) process.once('SIGTERM', () => console.log('heeded'));
await agent.transition('boot');
await agent.transition('activate');
agent.update({ handled: 1 });
await agent.checkpoint('counted');
const task = agent.task('ticket-2', async (signal) => {
  console.log('working');
  for (let left = Number(taskMs); left > 0 && !signal.aborted; left -= 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  agent.update({ handled: 2 });
  console.log('worked');
});
await task.catch(() => undefined);
while (agent.phase !== 'terminated') await new Promise((resolve) => setTimeout(resolve, 10));
await engine.close();
console.log('listeners ' + (process.listenerCount('SIGTERM') + process.listenerCount('SIGINT')));
`;

interface Left {
  readonly phase: AgentPhase;
  readonly reason: string | undefined;
  readonly handled: number;
  readonly unfinished: readonly string[] | undefined;
}

async function comesBack(url: `file:${string}` | `sqlite:${string}`): Promise<Left> {
  await using engine = await openEngine(url);
  const again = await openAgent(engine, { id: 'clerk', initial: { handled: 0 } });
  const { phase, appState, recovered } = again;
  return {
    phase,
    reason: recovered?.metadata.reason,
    handled: appState.handled,
    unfinished: recovered?.unfinished,
  };
}

describe.each(['file', 'sqlite'] as const)('an agent that heeds signals, on %s', (kind) => {
  let count = 0;
  const place = (): `file:${string}` | `sqlite:${string}` => {
    count += 1;
    return `${kind}:${join(workshop.folder, `${kind}-${count}.store`)}`;
  };

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)(
    '%s: the task in flight finishes, a checkpoint has the reason, the exit code is %i',
    async (signal, code) => {
      const url = place();
      const { child, printed, lines, ended } = workshop.run({ code: agent, args: [url, '300'] });
      await printed('working');
      child.kill(signal);
      expect(await ended).toEqual({ code, signal: null });
      expect(lines).toEqual(['working', 'worked', 'listeners 0']);
      expect(await comesBack(url)).toEqual({ phase: 'active', reason: signal, handled: 2, unfinished: [] });
    },
  );

  test('a second signal ends it at once, and nothing that was acknowledged is lost', async () => {
    const url = place();
    const { child, printed, ended } = workshop.run({ code: agent, args: [url, '60000', 'tells'] });
    await printed('working');
    child.kill('SIGTERM');
    await printed('heeded');
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
    expect(await comesBack(url)).toEqual({ phase: 'active', reason: 'counted', handled: 1, unfinished: [] });
  });

  test('after kill -9 it comes back in the phase and with the state of its last checkpoint', async () => {
    const url = place();
    const { child, printed, ended } = workshop.run({ code: agent, args: [url, '60000'] });
    await printed('working');
    child.kill('SIGKILL');
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await comesBack(url)).toEqual({ phase: 'active', reason: 'counted', handled: 1, unfinished: [] });
  });
});
