import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Facts } from './facts.ts';

/** The commands of npm whose results are kept. */
export type Recorded =
  | 'test:faults'
  | 'test:long'
  | 'test:sim'
  | 'test:kills'
  | 'test:moves'
  | 'test:fuzz'
  | 'test:fleet'
  | 'test:ha'
  | 'requirements';

/** npm starts its scripts at the root of the repository. */
const page = join('docs', 'reliability.md');

/** Puts what came of a command into docs/reliability.md: between its markers, or at the end. */
export function writeSection(command: Recorded, section: string): void {
  const begin = `<!-- ${command} begins; written by the runner -->`;
  const end = `<!-- ${command} ends -->`;
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '# Reliability\n\n## Results\n';
  const block = `${begin}\n${section}\n${end}`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const isThere = from !== -1 && to > from;
  const changed = isThere
    ? text.slice(0, from) + block + text.slice(to + end.length)
    : `${text.trimEnd()}\n\n${block}\n`;
  writeFileSync(page, changed);
}

/** How a section begins: the command, when it was run, on what, and how long it took if that is said. */
export function sectionHead(command: Recorded, { date, commit, machine }: Facts, tookMs?: number): readonly string[] {
  const took = tookMs === undefined ? '' : `, in ${duration(tookMs)}`;
  return [`### \`npm run ${command}\``, '', `${date} UTC, commit ${commit}, on ${machine}${took}.`, ''];
}

type Cells = readonly (string | number)[];

/** A table in Markdown. */
export function tableOf(head: Cells, rows: readonly Cells[]): readonly string[] {
  return [lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)];
}

function lineOf(cells: Cells): string {
  return `| ${cells.join(' | ')} |`;
}

export function duration(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}
