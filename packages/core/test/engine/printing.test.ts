import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { describeEverywhere } from './every-place.ts';
import { shownOn } from './printed-things.ts';

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
