import { setImmediate } from 'node:timers/promises';
import { type AgentEvent, type AgentPhase, graph, type HoldfastError, openAgent } from 'holdfast';
import { expect, test, vi } from 'vitest';
import { deferred } from '../../packages/core/src/async/deferred.ts';
import { corruptStore } from './corrupt-store.ts';
import { countingStore } from './counting-store.ts';
import { clockThatTells, describeDocument, openForTest } from './every-store.ts';

const phases: readonly AgentPhase[] = ['init', 'ready', 'active', 'suspended', 'retiring', 'terminated'];
const events: readonly AgentEvent[] = ['boot', 'activate', 'suspend', 'resume', 'retire', 'terminate', 'abort'];
/** How an agent gets into each phase. */
const ways: Readonly<Record<AgentPhase, readonly AgentEvent[]>> = {
  init: [],
  ready: ['boot'],
  active: ['boot', 'activate'],
  suspended: ['boot', 'activate', 'suspend'],
  retiring: ['boot', 'retire'],
  terminated: ['boot', 'retire', 'terminate'],
};
const allowed = new Map<string, AgentPhase>([
  ['init boot', 'ready'],
  ['ready activate', 'active'],
  ['active suspend', 'suspended'],
  ['suspended resume', 'active'],
  ['ready retire', 'retiring'],
  ['active retire', 'retiring'],
  ['suspended retire', 'retiring'],
  ['retiring terminate', 'terminated'],
]);
const clerk = { id: 'clerk', initial: { handled: 0 } };

describeDocument('000', ({ fresh, store }) => {
  test('a checkpoint has the agent, its phase, the time, its state and the metadata', async () => {
    const engine = await fresh();
    const agent = await openAgent(engine, clerk);
    await agent.transition('boot');
    agent.update({ handled: 3 });
    const id = await agent.task('ticket-4', () => agent.checkpoint('noon'));
    const saved = await engine.checkpoints.load(id);
    expect(saved).toMatchObject({ runId: 'clerk', graph: 'agent', state: { handled: 3 } });
    expect(saved?.at).toBeInstanceOf(Date);
    expect(saved?.metadata).toEqual({
      version: 1,
      inFlightTasks: 1,
      reason: 'noon',
      custom: { agent: 'clerk', phase: 'ready', unfinished: ['ticket-4'] },
    });
  });

  test("an agent's checkpoint is a record of the source system, labelled, with version, agent and phase in its meta", async () => {
    const engine = await fresh();
    const agent = await openAgent(engine, clerk);
    await agent.transition('boot');
    await agent.task('ticket-4', () => agent.checkpoint('noon'));
    const records = await engine.journal.tail('clerk', 9, { label: 'checkpoint', source: 'system' });
    expect(records).toMatchObject([
      { runId: 'clerk', kind: 'checkpoint', labels: ['checkpoint'], meta: { version: 1, custom: { phase: 'ready' } } },
      { meta: { reason: 'noon', inFlightTasks: 1, custom: { agent: 'clerk', unfinished: ['ticket-4'] } } },
    ]);
  });

  test('a task that saves a checkpoint when it begins is known by name after a crash', async () => {
    const place = store();
    const engine = await openForTest(place);
    const agent = await openAgent(engine, clerk);
    const begun = deferred();
    void agent.task('ticket-4', async () => {
      await agent.checkpoint();
      begun.resolve();
      await new Promise(() => {});
    });
    await begun.promise;
    await engine.close();
    const { recovered } = await openAgent(await openForTest(place), clerk);
    expect(recovered).toMatchObject({ unfinished: ['ticket-4'], metadata: { inFlightTasks: 1 } });
  });

  test('metadata is version 1, nothing in flight and no reason unless told otherwise', async () => {
    const engine = await fresh();
    await (await openAgent(engine, clerk)).checkpoint();
    const metadata = (await engine.checkpoints.latest('clerk'))?.metadata;
    expect(metadata).toEqual({
      version: 1,
      inFlightTasks: 0,
      custom: { agent: 'clerk', phase: 'init', unfinished: [] },
    });
  });

  test('no checkpoint is a first life, not an error', async () => {
    expect((await openAgent(await fresh(), clerk)).recovered).toBeUndefined();
  });

  test('recover finds the newest checkpoint after 600 other records, without reading them', async () => {
    const place = store();
    const engine = await openForTest(place);
    await (await openAgent(engine, clerk)).transition('boot');
    for (let n = 0; n < 600; n += 1) await engine.journal.append('clerk', { payload: n });
    await engine.close();
    const { store: counted, read } = countingStore(place);
    const { recovered, phase } = await openAgent(await openForTest(counted), clerk);
    expect([phase, recovered?.id, recovered?.metadata.reason]).toEqual(['ready', 'clerk@1', 'boot']);
    expect(read().records).toBe(0);
    expect(read().snapshots).toBeLessThan(5);
  });

  test('a corrupt checkpoint falls back to the newest good one, and says so', async () => {
    const place = store();
    const engine = await openForTest(place);
    const agent = await openAgent(engine, clerk);
    await agent.transition('boot');
    agent.update({ handled: 1 });
    await agent.transition('activate');
    await engine.close();
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    try {
      const again = await openForTest(corruptStore(place));
      const { phase, appState } = await openAgent(again, clerk);
      expect({ phase, appState }).toEqual({ phase: 'ready', appState: { handled: 0 } });
      expect(warn.mock.calls[0]?.[0]).toContain('corrupt');
    } finally {
      warn.mockRestore();
    }
  });

  test('the latest of several wins by journal order, whatever the clocks say', async () => {
    let now = 5_000;
    const engine = await fresh({ clock: clockThatTells(() => now) });
    const agent = await openAgent(engine, clerk);
    for (const handled of [1, 2]) {
      agent.update({ handled });
      await agent.checkpoint();
      now -= 2_000;
    }
    expect((await openAgent(engine, clerk)).appState).toEqual({ handled: 2 });
  });

  test.each(phases)(
    'lifecycle: %s takes what the table says and refuses all else, and nothing is written',
    async (phase) => {
      const engine = await fresh();
      const found: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const event of events) {
        const id = `${phase}-${event}`;
        const agent = await openAgent(engine, { id, initial: {} });
        for (const step of ways[phase]) await agent.transition(step);
        const before = (await engine.checkpoints.latest(id))?.seq ?? 0;
        const next = event === 'abort' ? 'terminated' : allowed.get(`${phase} ${event}`);
        const answer = await agent.transition(event).catch((error: HoldfastError) => error.code);
        const saved = await engine.checkpoints.latest(id);
        found[event] = [answer, agent.phase, saved?.seq ?? 0];
        expected[event] =
          next === undefined ? ['HOLDFAST_INVALID_TRANSITION', phase, before] : [next, next, before + 1];
      }
      expect(found).toEqual(expected);
    },
  );

  test.each(phases)('a recovered agent re-enters %s; a terminated one begins anew', async (phase) => {
    const place = store();
    const engine = await openForTest(place);
    const agent = await openAgent(engine, clerk);
    for (const event of ways[phase]) await agent.transition(event);
    await agent.checkpoint().catch(() => undefined);
    await engine.close();
    const again = await openAgent(await openForTest(place), clerk);
    expect(again.recovered?.phase).toBe(phase);
    expect(again.phase).toBe(phase === 'terminated' ? 'init' : phase);
  });

  test('shutdown: running, draining, terminated; new work is refused while draining', async () => {
    const engine = await fresh();
    const agent = await openAgent(engine, clerk);
    await agent.transition('boot');
    const { promise, resolve: finish } = deferred();
    const task = agent.task('ticket-1', () => promise);
    const report = agent.shutdown({ reason: 'deploy' });
    expect(agent.phase).toBe('ready');
    const refused = { code: 'HOLDFAST_DRAINING' };
    await expect(agent.task('ticket-2', async () => {})).rejects.toMatchObject(refused);
    finish();
    await task;
    expect(await report).toMatchObject({ unfinished: [] });
    expect(agent.phase).toBe('terminated');
    await expect(agent.task('ticket-3', async () => {})).rejects.toMatchObject(refused);
  });

  test('shutdown: the drain timeout reports by name what remains, and the next life knows it', async () => {
    const place = store();
    const engine = await openForTest(place);
    const agent = await openAgent(engine, clerk);
    await agent.transition('boot');
    const aborted = agent.task('slow', (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)));
    const { unfinished, checkpoint } = await agent.shutdown({ reason: 'deploy', drain: 20 });
    await aborted;
    expect(unfinished).toEqual(['slow']);
    await engine.close();
    const { recovered, phase } = await openAgent(await openForTest(place), clerk);
    expect(phase).toBe('ready');
    expect(recovered).toMatchObject({ id: checkpoint, phase: 'ready', unfinished: ['slow'] });
    expect(recovered?.metadata).toMatchObject({ inFlightTasks: 1, reason: 'deploy' });
  });

  test('shutdown: engine.work drains when it is told to stop; what was in flight is kept, the rest continues later', async () => {
    const place = store();
    const begun = deferred();
    const finish = deferred();
    const ran: string[] = [];
    const code = graph('two', { state: {} })
      .node('slow', async () => {
        begun.resolve();
        await finish.promise;
        ran.push('slow');
      })
      .node('next', () => void ran.push('next'))
      .edge('start', 'slow')
      .edge('slow', 'next')
      .edge('next', 'end')
      .compile();
    const engine = await openForTest(place, { graphs: [code] });
    await engine.submit(code, {}, { id: 'job' });
    const stop = new AbortController();
    const working = engine.work({ signal: stop.signal }).done;
    await begun.promise;
    let isOver = false;
    void working.then(() => (isOver = true));
    stop.abort();
    await engine.submit(code, {}, { id: 'late' });
    for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    expect(isOver).toBe(false);
    finish.resolve();
    await working;
    expect(ran).toEqual(['slow']);
    await engine.close();
    const again = await openForTest(place, { graphs: [code] });
    expect(await again.recover()).toBe(2);
    await Promise.all(['job', 'late'].map(async (id) => (await again.get(code, id)).result()));
    expect(ran.toSorted()).toEqual(['next', 'next', 'slow', 'slow']);
  });
});
