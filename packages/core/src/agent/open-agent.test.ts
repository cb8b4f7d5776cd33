import { describe, expect, test, vi } from 'vitest';
import { deferred } from '../async/deferred.ts';
import { openEngine } from '../engine/open.ts';
import { memoryStore } from '../store/memory/open.ts';
import type { AgentEvent } from './lifecycle.ts';
import { openAgent } from './open-agent.ts';

const draining = { code: 'HOLDFAST_DRAINING', details: { agent: 'clerk' } };
const options = { id: 'clerk', initial: { handled: 0 } };

describe('openAgent()', () => {
  test('begins a first life with the initial state, and writes nothing', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    expect(agent).toMatchObject({ id: 'clerk', phase: 'init', appState: { handled: 0 }, recovered: undefined });
    expect(await engine.checkpoints.latest('clerk')).toBeUndefined();
  });

  test('keeps a frozen copy of the state', async () => {
    await using engine = await openEngine('memory:');
    const initial = { tickets: ['a'] };
    const agent = await openAgent(engine, { id: 'clerk', initial });
    initial.tickets.push('b');
    expect(agent.appState).toEqual({ tickets: ['a'] });
    expect(() => agent.appState.tickets.push('c')).toThrow(TypeError);
    agent.update(initial);
    initial.tickets.push('d');
    expect(agent.appState).toEqual({ tickets: ['a', 'b'] });
  });

  test('takes a state that is no object', async () => {
    const store = memoryStore();
    for (const [index, initial] of [5, 'text', null, ['a'], new Date(7), undefined].entries()) {
      await using engine = await openEngine(store);
      const id = `agent-${index}`;
      await (await openAgent<unknown>(engine, { id, initial })).checkpoint();
      const again = await openAgent<unknown>(engine, { id, initial: 'other' });
      expect(again.appState).toEqual(initial);
      expect(again.recovered?.state).toEqual(initial);
    }
  });

  test('refuses what cannot be stored, and a bad id', async () => {
    await using engine = await openEngine('memory:');
    await expect(openAgent(engine, { id: '../x', initial: {} })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
    const unstorable = openAgent(engine, { id: 'clerk', initial: { f: () => {} } });
    await expect(unstorable).rejects.toMatchObject({ code: 'HOLDFAST_UNSERIALIZABLE' });
  });

  test('takes up the state of a checkpoint that was saved by hand', async () => {
    await using engine = await openEngine('memory:');
    await engine.checkpoints.save('clerk', { state: { handled: 7 }, metadata: { custom: { phase: 'nope' } } });
    const agent = await openAgent(engine, options);
    expect(agent).toMatchObject({
      phase: 'init',
      appState: { handled: 7 },
      recovered: { phase: 'init', unfinished: [] },
    });
  });
});

describe('transition()', () => {
  test('writes a refused transition nowhere', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    await expect(agent.transition('activate')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_TRANSITION' });
    expect(agent.phase).toBe('init');
    expect(await engine.checkpoints.latest('clerk')).toBeUndefined();
  });

  test('runs one after the other when called concurrently', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    const events: readonly AgentEvent[] = ['boot', 'boot', 'activate', 'suspend'];
    const phases = await Promise.allSettled(events.map((event) => agent.transition(event)));
    expect(phases.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(agent.phase).toBe('suspended');
  });

  test('stays in its phase when the store fails, and continues afterwards', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    const save = vi.spyOn(engine.checkpoints, 'save').mockRejectedValueOnce(new Error('disk full'));
    await expect(agent.transition('abort')).rejects.toThrow('disk full');
    expect(agent.phase).toBe('init');
    agent.update({ handled: 1 });
    save.mockRestore();
    expect(await agent.transition('boot')).toBe('ready');
  });

  test('to the end aborts the tasks, and refuses everything afterwards', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    const aborted = agent.task('t', (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)));
    await agent.transition('abort');
    await aborted;
    await expect(agent.task('u', async () => 1)).rejects.toMatchObject(draining);
    expect(() => agent.update({ handled: 9 })).toThrow(expect.objectContaining(draining));
    await expect(agent.checkpoint()).rejects.toMatchObject(draining);
    expect(await engine.checkpoints.latest('clerk')).toMatchObject({ status: 'terminal:terminated' });
    const { checkpoint, unfinished } = await agent.shutdown();
    expect([checkpoint, unfinished]).toEqual(['clerk@1', []]);
  });
});

describe('task()', () => {
  test('gives back what the task gave, or its error', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    expect(await agent.task('a', async () => 5)).toBe(5);
    await expect(agent.task('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(agent.task('', async () => 5)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });
});

describe('shutdown()', () => {
  test('waits for what is in flight, keeps what it does meanwhile, and takes nothing new', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    await agent.transition('boot');
    const { promise: opened, resolve: finish } = deferred();
    const task = agent.task('ticket', async () => {
      await opened;
      agent.update({ handled: 1 });
    });
    const report = agent.shutdown({ reason: 'deploy' });
    await expect(agent.task('late', async () => 1)).rejects.toMatchObject(draining);
    await expect(agent.transition('activate')).rejects.toMatchObject(draining);
    expect(agent.phase).toBe('ready');
    finish();
    await task;
    const { unfinished, checkpoint } = await report;
    expect(unfinished).toEqual([]);
    expect(agent.phase).toBe('terminated');
    expect(await engine.checkpoints.load(checkpoint)).toMatchObject({
      state: { handled: 1 },
      status: 'waiting',
      metadata: {
        version: 1,
        inFlightTasks: 0,
        reason: 'deploy',
        custom: { agent: 'clerk', phase: 'ready', unfinished: [] },
      },
    });
  });

  test('aborts what is late and names it; what it puts back then is kept', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, { id: 'clerk', initial: { back: [] as readonly string[] } });
    const run = (name: string): Promise<void> =>
      agent.task(name, async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        expect(signal.reason).toMatchObject(draining);
      });
    const late = agent.task('a', (signal) => {
      signal.addEventListener('abort', () => agent.update({ back: ['a'] }));
      return new Promise(() => {});
    });
    late.catch(() => undefined);
    const others = [run('b'), run('b')];
    expect(await agent.shutdown({ drain: 5 })).toEqual({ unfinished: ['a', 'b', 'b'], checkpoint: 'clerk@1' });
    await Promise.all(others);
    const again = await openAgent(engine, { id: 'clerk', initial: { back: [] as readonly string[] } });
    expect(again.recovered?.unfinished).toEqual(['a', 'b', 'b']);
    expect(again.appState).toEqual({ back: ['a'] });
  });

  test('is the same shutdown when asked again, and what `await using` does', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    {
      await using used = agent;
      await used.transition('boot');
    }
    expect(await agent.shutdown({ reason: 'again' })).toEqual({ unfinished: [], checkpoint: 'clerk@2' });
    await expect(agent.shutdown({ drain: -1 })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    expect(await engine.checkpoints.latest('clerk')).toMatchObject({ metadata: { reason: 'shutdown' } });
  });

  test('takes with it the transitions that were asked for before', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    const asked = [agent.transition('boot'), agent.transition('activate')];
    await agent.shutdown();
    expect(await Promise.all(asked)).toEqual(['ready', 'active']);
    expect((await openAgent(engine, options)).phase).toBe('active');
  });

  test('terminates even if the checkpoint cannot be saved, and says so', async () => {
    await using engine = await openEngine('memory:');
    const agent = await openAgent(engine, options);
    vi.spyOn(engine.checkpoints, 'save').mockRejectedValueOnce(new Error('disk full'));
    await expect(agent.shutdown()).rejects.toThrow('disk full');
    expect(agent.phase).toBe('terminated');
  });
});
