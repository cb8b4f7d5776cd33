import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, openEngine, type PruneReport } from 'holdfast';
import { bytesIn } from './disk-size.ts';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { growingLoop, runToEnd } from './trivial-graph.ts';

const runs = 1_000;
const steps = 100;
const keep = 5;
const itemBytes = 100;
const atOnce = 50;
/** Those who commit meanwhile, one commit after the other. */
const writers = 4;
const kilobyte = 1_024;

/** What pruning gives back, and what it costs those who commit meanwhile. */
export async function prune(): Promise<Report> {
  const sqlite = await pruned((folder) => `sqlite:${join(folder, 'bench.db')}`);
  const file = await pruned((folder) => `file:${join(folder, 'bench')}`);
  return {
    settings: { runs, steps, keep, itemBytes, writers, durability: 'full', node: process.version },
    figures: [...figuresOf('sqlite', sqlite), ...figuresOf('file', file)],
  };
}

interface Pruned {
  readonly before: number;
  readonly after: number;
  readonly report: PruneReport;
  readonly ms: number;
  /** How long commits took beside it, and without it. */
  readonly beside: readonly number[];
  readonly alone: readonly number[];
}

function figuresOf(store: string, { before, after, report, ms, beside, alone }: Pruned): Report['figures'] {
  return [
    { name: `${store}: before`, value: before / kilobyte, unit: 'KB' },
    { name: `${store}: given back`, value: (before - after) / kilobyte, unit: 'KB' },
    { name: `${store}: left ÷ before`, value: after / before, unit: 'ratio' },
    { name: `${store}: given back ÷ what prune said`, value: (before - after) / report.bytes, unit: 'ratio' },
    { name: `${store}: runs pruned`, value: (report.runs * 1_000) / ms, unit: 'runs/s' },
    { name: `${store}: p99 of a commit while it runs`, value: percentile(beside, 0.99), unit: 'ms' },
    { name: `${store}: p99 of a commit without it`, value: percentile(alone, 0.99), unit: 'ms' },
  ];
}

async function pruned(urlIn: (folder: string) => string): Promise<Pruned> {
  return inScratch(async (scratch) => {
    const folder = join(scratch, 'store');
    mkdirSync(folder);
    const url = urlIn(folder) as 'memory:';
    const loop = growingLoop(steps, itemBytes);
    {
      await using engine = await openEngine(url);
      for (let done = 0; done < runs; done += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, () => runToEnd(engine, loop, steps)));
      }
    }
    const before = bytesIn(folder);
    const measured = await pruneBeside(url);
    return { before, after: bytesIn(folder), ...measured };
  });
}

/** Prunes while others write; what they wrote is deleted again, and so is not counted. */
async function pruneBeside(url: 'memory:'): Promise<Omit<Pruned, 'before' | 'after'>> {
  await using engine = await openEngine(url);
  const alone = await commitTimes(engine, new Promise((resolve) => setTimeout(resolve, 3_000)));
  const startedAt = performance.now();
  const pruning = engine.prune({ keep, status: ['completed'] });
  const beside = await commitTimes(engine, pruning);
  const report = await pruning;
  return { report, ms: performance.now() - startedAt, beside, alone };
}

/** How long each commit takes of those who write until something has happened. */
async function commitTimes(engine: Engine, until: Promise<unknown>): Promise<readonly number[]> {
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  const write = async (name: string): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const startedAt = performance.now();
      await engine.journal.append(name, { payload: count });
      times.push(performance.now() - startedAt);
    }
    await engine.delete(name);
  };
  await Promise.all(Array.from({ length: writers }, (_, at) => write(`writer-${at}`)));
  return times;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
