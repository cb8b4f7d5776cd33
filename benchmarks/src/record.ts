import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Figure, goalText, type Report, valueText } from './report.ts';

const path = fileURLToPath(new URL('../results.md', import.meta.url));
const title = `# Results

Written by \`npm run bench -- NAME --record\`. Goals are those of PERFORMANCE.md; a figure without one is told, not judged.
Both sides of a ratio were measured in the same run, one after the other, again and again.
Each section is of the commit that it names: those of 16 and 17 November are of the code before the one write path.
`;
/** As wide as the longest bar of a plot. */
const widest = 40;

/** Puts a report into results.md, in place of the one that was there. */
export function record(name: string, report: Report): void {
  const sections = new Map(readSections());
  sections.set(name, sectionOf(report));
  const sorted = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(path, [title, ...sorted.map(([each, text]) => `## ${each}\n\n${text.trim()}\n`)].join('\n'));
}

function readSections(): readonly (readonly [string, string])[] {
  if (!existsSync(path)) return [];
  const [, ...sections] = readFileSync(path, 'utf8').split(/^## /m);
  return sections.map((section) => {
    const end = section.indexOf('\n');
    return [section.slice(0, end), section.slice(end + 1)] as const;
  });
}

function sectionOf({ settings, figures }: Report): string {
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const told = Object.entries(settings).map(([key, value]) => `${key} ${value}`);
  const rows = figures.map(
    (figure) => `| ${figure.name} | ${valueText(figure)} ${figure.unit} | ${goalText(figure) || '–'} |`,
  );
  return [
    `${at} UTC, commit ${commit}, ${process.platform} ${process.arch}, ${machine}; ${told.join(', ')}.`,
    '',
    '| what | measured | goal |',
    '|---|---|---|',
    ...rows,
    '',
    '```',
    ...plot(figures),
    '```',
  ].join('\n');
}

/** Bars of the figures of each unit, to scale. */
function plot(figures: readonly Figure[]): readonly string[] {
  const width = Math.max(...figures.map(({ name }) => name.length));
  return figures.map((figure) => {
    const peers = figures.filter(({ unit }) => unit === figure.unit);
    const most = Math.max(...peers.map(({ value }) => value));
    const bar = '█'.repeat(Math.max(1, Math.round((figure.value / most) * widest)));
    return `${figure.name.padEnd(width)} ${bar} ${valueText(figure)} ${figure.unit}`;
  });
}
