import type { RunSummary } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import { parseLimit } from '../../input/numbers.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import { drawTree, type LogTree, type TreeLine } from '../../log/draw-tree.ts';
import type { LogEntry } from '../../log/log-entries.ts';
import { markOf, readLog, readTree } from '../../log/read-tree.ts';
import type { Output } from '../../output/output.ts';
import { printable, shortened, widestOf, widthOf } from '../../output/printable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

interface LogOptions {
  readonly graph?: boolean;
  readonly limit?: string;
}

/** `holdfast log RUN [--graph]`. */
export const log: CommandFn<LogOptions> = async (context, [name = ''], options) => {
  const { out, paste } = context;
  await using engine = await openToRead(context);
  const run = await findRun(engine, name);
  const limit = parseLimit(options.limit, 50);
  const tree = options.graph === true ? await readTree(engine, run) : undefined;
  const entries = tree === undefined ? await readLog(engine, run) : entriesOf(tree);
  const lines = tree === undefined ? plainLines(entries, run) : drawTree(tree);
  const shown = limit === undefined ? lines : lines.slice(0, limit);
  await out.list({
    names: { all: 'log', one: 'log-entry' },
    items: limit === undefined ? entries : entries.slice(0, limit),
    human: () => drawLines(out, shown),
  });
  if (out.mode === 'human' && shown.length < lines.length)
    out.hint('There are more lines. Show all of them with --limit 0.');
  if (run.status === 'suspended') out.hint(suspendedHint(paste, run.id));
  return 0;
};

function plainLines(entries: readonly LogEntry[], run: RunSummary): readonly TreeLine[] {
  return entries.map((entry, index) => ({ lanes: '* ', entry, ...(index === 0 && { mark: markOf('head', run) }) }));
}

function entriesOf({ entries, forks }: LogTree): readonly LogEntry[] {
  return [...entries, ...forks.flatMap(entriesOf)];
}

const widestNodes = 14;

function drawLines(out: Output, lines: readonly TreeLine[]): readonly string[] {
  const { paint } = out;
  const all = lines.flatMap(({ entry }) => entry ?? []);
  const seqWidth = widestOf(all.map(({ seq }) => `@${seq}`));
  const nodesWidth = Math.min(widestNodes, widestOf(all.map(({ nodes }) => nodes)));
  const textOf = ({ nodes, what }: LogEntry): string => `${nodes.padEnd(nodesWidth)}  ${what}`.trimEnd();
  const leftOf = ({ lanes, entry }: TreeLine): number =>
    entry === undefined ? 0 : widthOf(lanes) + seqWidth + 2 + widthOf(textOf(entry));
  const times = all.map(({ at }) => out.time(at));
  const timeWidth = widestOf(times);
  const room = out.width - timeWidth - 2 - widestOf(lines.map(({ mark = '' }) => `${mark}  `));
  const width = Math.min(
    Math.max(20, room),
    lines.reduce((most, line) => Math.max(most, leftOf(line)), 0),
  );
  return lines.map((line) => {
    const { lanes, entry, mark } = line;
    if (entry === undefined) return paint.dim(lanes);
    const text = shortened(textOf(entry), width - widthOf(lanes) - seqWidth - 2);
    const padding = ' '.repeat(Math.max(0, width - widthOf(lanes) - seqWidth - 2 - widthOf(text)));
    const colored = text.replace(/waiting|completed|failed/u, (word) => paintWord(out, word));
    const shownMark = mark === undefined ? '' : `  ${paint.green(printable(mark))}`;
    const seq = paint.bold(`@${entry.seq}`) + ' '.repeat(seqWidth - String(entry.seq).length - 1);
    return `${paint.dim(lanes)}${seq}  ${colored}${padding}  ${paint.dim(out.time(entry.at).padEnd(mark === undefined ? 0 : timeWidth))}${shownMark}`;
  });
}

function paintWord({ paint }: Output, word: string): string {
  return word === 'completed' ? paint.green(word) : word === 'failed' ? paint.red(word) : paint.yellow(word);
}
