import type { Facts } from '../faults/runner/facts.ts';
import { sectionHead, tableOf } from '../faults/runner/record.ts';
import type { Caught } from './catch-mutant.ts';
import { faultKinds } from './fault-kind.ts';
import type { Totals } from './totals.ts';

interface ReportOptions {
  readonly facts: Facts;
  readonly totals: Totals;
  readonly caught: readonly Caught[];
  readonly tookMs: number;
}

/** The part of docs/reliability.md that a run writes. */
export function simSection({ facts, totals, caught, tookMs }: ReportOptions): string {
  const { seeds, repeated, events, commits, takeovers, refusedStale, refusedLate, faults, failures } = totals;
  const failed = failures.map(({ seed }) => seed).join(', ');
  return [
    ...sectionHead('test:sim', facts, tookMs),
    ...tableOf(
      [
        'seeds',
        'twice, with the same trace',
        'events',
        'commits',
        'takeovers',
        'stale commits refused',
        'late commits refused',
        'failed',
      ],
      [[seeds, repeated, events, commits, takeovers, refusedStale, refusedLate, failures.length]],
    ),
    '',
    ...(failures.length === 0 ? [] : [`Failed seeds: ${failed}.`, '']),
    ...tableOf(
      ['fault', 'times'],
      faultKinds.map((kind) => [kind, faults[kind]]),
    ),
    '',
    ...tableOf(
      ['mutant', 'caught'],
      caught.map(({ name, seeds: tried, violation }) => [
        name,
        violation === undefined ? `**no**, in ${tried} seeds` : `in ${tried} seeds`,
      ]),
    ),
  ].join('\n');
}
