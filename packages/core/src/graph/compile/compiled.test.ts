import { describe, expect, test } from 'vitest';
import { graph } from '../graph.ts';
import { compiledOf } from './compiled.ts';

const builder = graph('g', { state: {} })
  .node('a', () => {})
  .edge('start', 'a')
  .edge('a', 'end');

describe('compiledOf()', () => {
  test('returns the compiled graph', () => {
    const made = builder.compile();
    const { name, version, fingerprint } = compiledOf(made);
    expect(made).toMatchObject({ name, version, fingerprint });
    expect(Object.isFrozen(made)).toBe(true);
  });

  test.each([undefined, null, 'g', 1, () => {}, {}, { ...builder.compile() }])('refuses %o', (value) => {
    expect(() => compiledOf(value)).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_INVALID_GRAPH',
        message: 'This is not a graph. Pass the result of .compile() or workflow(), from this copy of the package.',
      }),
    );
  });

  test('hints at a missing .compile()', () => {
    expect(() => compiledOf(builder)).toThrow('This is not a graph. It is a builder: call .compile()');
  });
});
