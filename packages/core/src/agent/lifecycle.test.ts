import { describe, expect, test } from 'vitest';
import { type AgentEvent, type AgentPhase, isPhase, nextPhase } from './lifecycle.ts';

const phases: readonly AgentPhase[] = ['init', 'ready', 'active', 'suspended', 'retiring', 'terminated'];
const events: readonly AgentEvent[] = ['boot', 'activate', 'suspend', 'resume', 'retire', 'terminate', 'abort'];

/** The table of the document, written again by hand. */
const allowed = new Map<string, AgentPhase>([
  ['init boot', 'ready'],
  ['ready activate', 'active'],
  ['active suspend', 'suspended'],
  ['suspended resume', 'active'],
  ['ready retire', 'retiring'],
  ['active retire', 'retiring'],
  ['suspended retire', 'retiring'],
  ['retiring terminate', 'terminated'],
  ...phases.map((phase) => [`${phase} abort`, 'terminated'] as const),
]);
const pairs = phases.flatMap((phase) =>
  events.map((event) => ({ phase, event, to: allowed.get(`${phase} ${event}`) })),
);

describe('nextPhase()', () => {
  test.each(pairs.filter(({ to }) => to !== undefined))('$phase -$event-> $to', ({ phase, event, to }) => {
    expect(nextPhase('clerk', phase, event)).toBe(to);
  });

  test.each(pairs.filter(({ to }) => to === undefined))('$phase refuses $event', ({ phase, event }) => {
    expect(() => nextPhase('clerk', phase, event)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_INVALID_TRANSITION', details: { agent: 'clerk', phase, event } }),
    );
  });

  test('refuses what is no event, also a name that every object has', () => {
    for (const event of ['nope', 'constructor', '__proto__'])
      expect(() => nextPhase('clerk', 'init', event as AgentEvent)).toThrow('It accepts boot, abort.');
  });
});

describe('isPhase()', () => {
  test('knows the six phases and nothing else', () => {
    expect(phases.every(isPhase)).toBe(true);
    expect([undefined, 'nope', 'toString', 1].some(isPhase)).toBe(false);
  });
});
