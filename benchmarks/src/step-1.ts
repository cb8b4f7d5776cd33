import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, openEngine } from 'holdfast';
import { trivialBytes } from './graph-runs.ts';
import { openLangGraph, type Peer } from './peers.ts';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';
import { runToEnd, trivialLoop } from './trivial-graph.ts';

const rounds = 7;
/** Each side is at it for about as long: code becomes fast with the time that it runs, not with the steps it takes. */
const steps = 2_000;
const peerRuns = 40;
const peerSteps = 10;

/** One durable run at a time through the whole engine, beside a bare append and beside LangGraph. */
export async function step1(): Promise<Report> {
  return inScratch(async (folder) => {
    const engine = await openEngine(`sqlite:${join(folder, 'bench.db')}`);
    const normal = await openLangGraph({ saver: 'sqlite', path: join(folder, 'normal.db') });
    const full = await openLangGraph({ saver: 'sqlite-full', path: join(folder, 'full.db') });
    const file = openSync(join(folder, 'append'), 'w');
    const sides = [
      () => appends(file),
      () => ours(engine),
      () => theirs(normal),
      () => theirs(full),
      () => oursOfTen(engine),
    ] as const;
    for (const side of sides) await side(); // warm, and past the first wrap of SQLite's log
    for (const side of sides) await side();
    const measured: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const micros: number[] = [];
      for (const side of sides) micros.push(await side());
      measured.push(micros);
    }
    await engine.close();
    await normal.close();
    await full.close();
    closeSync(file);
    const of = (side: number): number => median(measured.map((micros) => micros[side] ?? Number.NaN));
    const ratio = (above: number, below: number): number =>
      median(measured.map((micros) => (micros[above] ?? Number.NaN) / (micros[below] ?? Number.NaN)));
    return {
      settings: { rounds, steps, peerRuns, peerSteps, durability: 'full', node: process.version },
      figures: [
        { name: 'append + fdatasync', value: of(0), unit: 'µs' },
        { name: 'a step, whole engine, SQLite', value: of(1), unit: 'µs' },
        { name: 'LangGraph + SqliteSaver, default', value: of(2), unit: 'µs' },
        { name: 'LangGraph + SqliteSaver, FULL', value: of(3), unit: 'µs' },
        { name: 'a step of ours in runs of ten', value: of(4), unit: 'µs' },
        { name: 'append ÷ step', value: ratio(0, 1), unit: 'ratio', atLeast: 0.7 },
        { name: 'LangGraph default ÷ Holdfast', value: ratio(2, 1), unit: 'ratio', atLeast: 4 },
        { name: 'LangGraph FULL ÷ Holdfast', value: ratio(3, 1), unit: 'ratio', atLeast: 6 },
        { name: 'LangGraph default ÷ Holdfast, both in runs of ten', value: ratio(2, 4), unit: 'ratio' },
        { name: 'LangGraph FULL ÷ Holdfast, both in runs of ten', value: ratio(3, 4), unit: 'ratio' },
      ],
    };
  });
}

async function appends(file: number): Promise<number> {
  const bytes = Buffer.alloc(trivialBytes, 'x');
  const startedAt = performance.now();
  for (let step = 0; step < steps; step += 1) {
    writeSync(file, bytes);
    fdatasyncSync(file);
  }
  return micros(startedAt, steps);
}

async function ours(engine: Engine): Promise<number> {
  const loop = trivialLoop(steps);
  const startedAt = performance.now();
  await runToEnd(engine, loop, steps);
  return micros(startedAt, steps);
}

/** As many runs as the peer's, and as short: starting a run counts. */
async function oursOfTen(engine: Engine): Promise<number> {
  const loop = trivialLoop(peerSteps);
  const startedAt = performance.now();
  for (let run = 0; run < peerRuns; run += 1) await runToEnd(engine, loop, peerSteps);
  return micros(startedAt, peerRuns * peerSteps);
}

function theirs(peer: Peer): Promise<number> {
  return peer.measure({ runs: peerRuns, steps: peerSteps });
}

function micros(startedAt: number, count: number): number {
  return ((performance.now() - startedAt) * 1000) / count;
}
