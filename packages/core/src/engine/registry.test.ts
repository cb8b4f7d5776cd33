import { expect, test } from 'vitest';
import { z } from 'zod';
import { compiledOf } from '../graph/compile/compiled.ts';
import { workflow } from '../graph/workflow.ts';
import { Registry } from './registry.ts';

const code = (name: string, version: number) =>
  compiledOf(workflow(name, { version, input: z.object({}) }, async () => name));

test('names what was added, and what was added since', () => {
  const registry = new Registry();
  expect(registry.names()).toEqual([]);
  registry.add(code('a', 2));
  expect(registry.names()).toEqual([
    { name: 'a', version: 2 },
    { name: 'a', version: 1 },
  ]);
  registry.add(code('b', 1));
  registry.add(code('a', 3));
  expect(registry.names()).toEqual([
    { name: 'a', version: 3 },
    { name: 'a', version: 2 },
    { name: 'a', version: 1 },
    { name: 'b', version: 1 },
  ]);
});

test('names the last versions of a graph that counts by date', () => {
  const registry = new Registry();
  registry.add(code('a', 20_261_118));
  expect(registry.names()).toHaveLength(64);
  expect(registry.names()[0]).toEqual({ name: 'a', version: 20_261_118 });
});
