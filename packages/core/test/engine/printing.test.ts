import { inspect } from 'node:util';
import {
  type Checkpoint,
  graph,
  list,
  map,
  messages,
  type Outcome,
  type RunEvent,
  type RunSummary,
  workflow,
} from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const refunds = graph('refunds', {
  state: {
    order: z.string(),
    log: list<string>(),
    paid: z.date().optional(),
    chat: messages<{ id?: string; role: 'user'; content: string }>(),
    items: map<number>(),
  },
  asks: { approve: { show: z.object({ amount: z.number() }), answer: z.boolean() } },
})
  .node('check', () => ({ log: 'checked', paid: new Date(0) }))
  .node('decide', async ({ ask }) => ({ log: `approved: ${await ask('approve', { amount: 5 })}` }))
  .edge('start', 'check')
  .edge('check', 'decide')
  .edge('decide', 'end')
  .compile();

const failing = workflow('failing', { input: z.object({}) }, () => {
  throw Object.assign(new Error('no route'), { status: 502 });
});

const input = { order: 'o-1', chat: { id: 'm-1', role: 'user', content: 'refund me' }, items: { cup: 2 } } as const;

interface Shown {
  readonly result: unknown;
  readonly state: unknown;
  readonly checkpoint: Checkpoint;
  readonly run: object;
  readonly started: object;
  readonly summary: RunSummary;
  readonly waiting: Outcome;
  readonly event: RunEvent | undefined;
  readonly error: Error;
  readonly failed: RunEvent | undefined;
}

async function shownOn(place: Parameters<Parameters<typeof describeEverywhere>[1]>[0]): Promise<Shown> {
  const engine = await place().open({ clock: virtualClock(new Date(0)), workerId: 'w' });
  const run = await engine.start(refunds, input, { id: 'r' });
  const waiting = (await run.outcome()) as Outcome;
  const state = await run.state();
  const checkpoint = await run.checkpoint();
  const events = await all(run.events({ until: 'idle' }));
  await run.answer('approve', true, { by: 'ada' });
  const result = await run.result();
  const summary = await run.summary();
  const started = engine.get(refunds, 'r');
  await started;
  const lost = engine.start(failing, {}, { id: 'f' });
  const error = await lost.result().then(
    () => new Error('it completed'),
    (thrown: Error) => thrown,
  );
  const failed = (await all(lost.events())).find(({ type }) => type === 'node-error') as RunEvent | undefined;
  const event = events.find(({ type }) => type === 'wait') as RunEvent | undefined;
  return { result, state, checkpoint, run, started, summary, waiting, event, error, failed };
}

/** As console.log prints it, without the paths of a stack. */
function printed(value: unknown): string {
  return inspect(value).replaceAll(/\n +at [^\n]*?(?= \{\n|\n|$)/gu, '');
}

describeEverywhere('a person can read what console.log prints', (place) => {
  test('of a result, a state, a checkpoint, a run, a summary, an outcome, an event and an error', async () => {
    const shown = await shownOn(place);
    expect(
      Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, printed(value)])),
    ).toMatchInlineSnapshot(`
      {
        "checkpoint": "{
        id: 'r@2',
        runId: 'r',
        graph: 'refunds',
        seq: 2,
        covers: 2,
        superstep: 1,
        parentId: 'r@1',
        label: '',
        next: [ 'decide' ],
        status: 'running',
        at: 1970-01-01T00:00:00.000Z,
        state: {
          order: 'o-1',
          log: [ 'checked' ],
          paid: 1970-01-01T00:00:00.000Z,
          chat: [ [Object] ],
          items: { cup: 2 }
        },
        metadata: { version: 1, inFlightTasks: 0 }
      }",
        "error": "HoldfastError: Node main failed: no route {
        code: 'HOLDFAST_NODE_FAILED',
        details: { runId: 'f', node: 'main' },
        [cause]: Error: no route {
          status: 502
        }
      }",
        "event": "{
        cursor: '3.0',
        runId: 'r',
        seq: 3,
        at: 1970-01-01T00:00:00.000Z,
        type: 'wait',
        wait: {
          id: 'kdbfb2e5e766f6b2a84584a1bed13484',
          runId: 'r',
          node: 'decide',
          task: '2/decide',
          since: 1970-01-01T00:00:00.000Z,
          kind: 'ask',
          name: 'approve',
          show: { amount: 5 }
        }
      }",
        "failed": "{
        cursor: '2.0',
        runId: 'f',
        seq: 2,
        at: 1970-01-01T00:00:00.000Z,
        node: 'main',
        task: '1/main',
        attempt: 1,
        type: 'node-error',
        error: HoldfastError: Node main failed: no route {
          code: 'HOLDFAST_NODE_FAILED',
          details: { runId: 'f', node: 'main' },
          [cause]: Error: no route {
            status: 502
          }
        },
        willRetry: false,
        retryAt: undefined
      }",
        "result": "{
        order: 'o-1',
        log: [ 'checked', 'approved: true' ],
        paid: 1970-01-01T00:00:00.000Z,
        chat: [ { id: 'm-1', role: 'user', content: 'refund me' } ],
        items: { cup: 2 }
      }",
        "run": "Run { id: 'r', cursor: '0' }",
        "started": "StartedRun { id: 'r' }",
        "state": "{
        order: 'o-1',
        log: [ 'checked' ],
        paid: 1970-01-01T00:00:00.000Z,
        chat: [ { id: 'm-1', role: 'user', content: 'refund me' } ],
        items: { cup: 2 }
      }",
        "summary": "{
        id: 'r',
        kind: 'graph',
        graph: 'refunds',
        version: 1,
        status: 'completed',
        superstep: 2,
        head: 6,
        createdAt: 1970-01-01T00:00:00.000Z,
        updatedAt: 1970-01-01T00:00:00.000Z,
        tags: {},
        parentId: null,
        forkedAt: null,
        waits: [],
        wakeAt: null,
        worker: null,
        refusals: []
      }",
        "waiting": "{
        status: 'waiting',
        state: {
          order: 'o-1',
          log: [ 'checked' ],
          paid: 1970-01-01T00:00:00.000Z,
          chat: [ [Object] ],
          items: { cup: 2 }
        },
        waits: [
          {
            id: 'kdbfb2e5e766f6b2a84584a1bed13484',
            runId: 'r',
            node: 'decide',
            task: '2/decide',
            since: 1970-01-01T00:00:00.000Z,
            kind: 'ask',
            name: 'approve',
            show: [Object]
          }
        ]
      }",
      }
    `);
  });
});

describeEverywhere('JSON.stringify loses nothing that matters', (place) => {
  test('of a result, a state, a checkpoint, a run, a summary, an outcome, an event and an error', async () => {
    const shown = await shownOn(place);
    expect(JSON.parse(JSON.stringify(shown))).toMatchInlineSnapshot(`
      {
        "checkpoint": {
          "at": "1970-01-01T00:00:00.000Z",
          "covers": 2,
          "graph": "refunds",
          "id": "r@2",
          "label": "",
          "metadata": {
            "inFlightTasks": 0,
            "version": 1,
          },
          "next": [
            "decide",
          ],
          "parentId": "r@1",
          "runId": "r",
          "seq": 2,
          "state": {
            "chat": [
              {
                "content": "refund me",
                "id": "m-1",
                "role": "user",
              },
            ],
            "items": {
              "cup": 2,
            },
            "log": [
              "checked",
            ],
            "order": "o-1",
            "paid": "1970-01-01T00:00:00.000Z",
          },
          "status": "running",
          "superstep": 1,
        },
        "error": {
          "cause": {
            "message": "no route",
            "name": "Error",
            "status": 502,
          },
          "code": "HOLDFAST_NODE_FAILED",
          "details": {
            "node": "main",
            "runId": "f",
          },
          "message": "Node main failed: no route",
          "name": "HoldfastError",
        },
        "event": {
          "at": "1970-01-01T00:00:00.000Z",
          "cursor": "3.0",
          "runId": "r",
          "seq": 3,
          "type": "wait",
          "wait": {
            "id": "kdbfb2e5e766f6b2a84584a1bed13484",
            "kind": "ask",
            "name": "approve",
            "node": "decide",
            "runId": "r",
            "show": {
              "amount": 5,
            },
            "since": "1970-01-01T00:00:00.000Z",
            "task": "2/decide",
          },
        },
        "failed": {
          "at": "1970-01-01T00:00:00.000Z",
          "attempt": 1,
          "cursor": "2.0",
          "error": {
            "cause": {
              "message": "no route",
              "name": "Error",
              "status": 502,
            },
            "code": "HOLDFAST_NODE_FAILED",
            "details": {
              "node": "main",
              "runId": "f",
            },
            "message": "Node main failed: no route",
            "name": "HoldfastError",
          },
          "node": "main",
          "runId": "f",
          "seq": 2,
          "task": "1/main",
          "type": "node-error",
          "willRetry": false,
        },
        "result": {
          "chat": [
            {
              "content": "refund me",
              "id": "m-1",
              "role": "user",
            },
          ],
          "items": {
            "cup": 2,
          },
          "log": [
            "checked",
            "approved: true",
          ],
          "order": "o-1",
          "paid": "1970-01-01T00:00:00.000Z",
        },
        "run": {
          "cursor": "0",
          "id": "r",
        },
        "started": {
          "id": "r",
        },
        "state": {
          "chat": [
            {
              "content": "refund me",
              "id": "m-1",
              "role": "user",
            },
          ],
          "items": {
            "cup": 2,
          },
          "log": [
            "checked",
          ],
          "order": "o-1",
          "paid": "1970-01-01T00:00:00.000Z",
        },
        "summary": {
          "createdAt": "1970-01-01T00:00:00.000Z",
          "forkedAt": null,
          "graph": "refunds",
          "head": 6,
          "id": "r",
          "kind": "graph",
          "parentId": null,
          "refusals": [],
          "status": "completed",
          "superstep": 2,
          "tags": {},
          "updatedAt": "1970-01-01T00:00:00.000Z",
          "version": 1,
          "waits": [],
          "wakeAt": null,
          "worker": null,
        },
        "waiting": {
          "state": {
            "chat": [
              {
                "content": "refund me",
                "id": "m-1",
                "role": "user",
              },
            ],
            "items": {
              "cup": 2,
            },
            "log": [
              "checked",
            ],
            "order": "o-1",
            "paid": "1970-01-01T00:00:00.000Z",
          },
          "status": "waiting",
          "waits": [
            {
              "id": "kdbfb2e5e766f6b2a84584a1bed13484",
              "kind": "ask",
              "name": "approve",
              "node": "decide",
              "runId": "r",
              "show": {
                "amount": 5,
              },
              "since": "1970-01-01T00:00:00.000Z",
              "task": "2/decide",
            },
          ],
        },
      }
    `);
  });
});
