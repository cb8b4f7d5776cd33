import type { Facts } from '../faults/runner/facts.ts';
import type { FuzzReport } from './run-fuzz.ts';

interface ReportOptions {
  readonly facts: Facts;
  readonly from: number;
  readonly reports: readonly FuzzReport[];
  readonly caught: readonly { readonly name: string; readonly harness: string; readonly how: string | undefined }[];
  readonly findings: readonly string[];
}

const kinds = ['hang', 'crash', 'untyped', 'unusable', 'spins', 'raw'] as const;

/** The part of docs/reliability.md that a run of the fuzz writes. */
export function reportSection({ facts, from, reports, caught, findings }: ReportOptions): string {
  return [
    '### `npm run test:fuzz`',
    '',
    `${facts.date} UTC, commit ${facts.commit}, on ${facts.machine}, from seed ${from}.`,
    '',
    '| harness | cases | hangs | crashes | untyped errors | stores that cannot be used | loops | raw characters | time |',
    '|---|---|---|---|---|---|---|---|---|',
    ...reports.map(rowOf),
    '',
    '| mutant | harness | caught |',
    '|---|---|---|',
    ...caught.map(({ name, harness, how }) => `| ${name} | ${harness} | ${how ?? '**no**'} |`),
    ...(findings.length === 0 ? [] : ['', ...findings.map((finding) => `- \`${finding.replaceAll('`', "'")}\``)]),
  ].join('\n');
}

function rowOf({ harness, cases, ms, found }: FuzzReport): string {
  const counts = kinds.map((kind) => found.filter((each) => each.kind === kind).length);
  return `| ${[harness, cases, ...counts, `${Math.round(ms / 1_000)} s`].join(' | ')} |`;
}
