import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { channel } from '../../channel/channel.ts';
import { counter } from '../../channel/counter.ts';
import { list } from '../../channel/list.ts';
import { graph } from '../graph.ts';
import { workflow } from '../workflow.ts';

/** A schema of a library without JSON Schema. */
const plain: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };

describe('inputSchema()', () => {
  test('has one property per channel whose schema is known', () => {
    const built = graph('many', {
      state: {
        order: z.string(),
        cents: z.int().optional(),
        note: channel({ default: () => '', schema: z.string() }),
        total: channel({ default: () => 0, reduce: (sum: number, next: number) => sum + next, schema: z.number() }),
        log: list(z.string()),
        odd: list(plain),
        free: list<string>(),
        any: channel<string>(),
        plain,
        // JSON Schema cannot express it.
        big: z.bigint(),
        count: counter(),
      },
    })
      .node('only', () => ({}))
      .edge('start', 'only')
      .edge('only', 'end')
      .compile();
    expect(built.inputSchema()).toEqual({
      type: 'object',
      properties: {
        order: expect.objectContaining({ type: 'string' }),
        cents: expect.objectContaining({ type: 'integer' }),
        note: expect.objectContaining({ type: 'string' }),
        log: {
          anyOf: [
            expect.objectContaining({ type: 'string' }),
            { type: 'array', items: expect.objectContaining({ type: 'string' }) },
          ],
        },
      },
    });
  });

  test("is the schema of a workflow's input", () => {
    const known = workflow('known', { input: z.object({ name: z.string() }) }, async () => 1);
    expect(known.inputSchema()).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } });
    expect(workflow('unknown', { input: plain }, async () => 1).inputSchema()).toBeUndefined();
  });
});
