import { openEngine } from 'holdfast';
import { openLangGraph } from './peers.ts';
import type { Report } from './report.ts';
import { median } from './timing.ts';
import { runToEnd, trivialLoop } from './trivial-graph.ts';

const rounds = 9;
const stepsARun = 10;
/** Each side is at it for about as long: code becomes fast with the time that it runs, not with the steps it takes. */
const runs = 2_000;
const peerRuns = 10;

/** The whole engine on the memory store, beside LangGraph with its memory checkpointer. */
export async function memory(): Promise<Report> {
  const peer = await openLangGraph({ saver: 'memory' });
  const loop = trivialLoop(stepsARun);
  const long = trivialLoop(stepsARun * runs);
  const ours = async (): Promise<number> => {
    // A store of its own: what the rounds before have left would have to be collected too.
    await using engine = await openEngine('memory:');
    const startedAt = performance.now();
    for (let run = 0; run < runs; run += 1) await runToEnd(engine, loop, stepsARun);
    return micros(startedAt, runs * stepsARun);
  };
  const oneRun = async (): Promise<number> => {
    await using engine = await openEngine('memory:');
    const startedAt = performance.now();
    await runToEnd(engine, long, stepsARun * runs);
    return micros(startedAt, runs * stepsARun);
  };
  const theirs = (): Promise<number> => peer.measure({ runs: peerRuns, steps: stepsARun });
  for (let warm = 0; warm < 3; warm += 1) {
    await ours();
    await oneRun();
    await theirs();
  }
  const measured: { ours: number; oneRun: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({ ours: await ours(), oneRun: await oneRun(), theirs: await theirs() });
  }
  await peer.close();
  return {
    settings: { rounds, stepsARun, runs, peerRuns, durability: 'none (memory)', node: process.version },
    figures: [
      { name: 'a step in one long run', value: median(measured.map((each) => each.oneRun)), unit: 'µs' },
      { name: 'a step in runs of 10', value: median(measured.map((each) => each.ours)), unit: 'µs' },
      { name: 'LangGraph + MemorySaver, runs of 10', value: median(measured.map((each) => each.theirs)), unit: 'µs' },
      {
        name: 'LangGraph ÷ Holdfast, runs of 10',
        value: median(measured.map((each) => each.theirs / each.ours)),
        unit: 'ratio',
        atLeast: 100,
      },
    ],
  };
}

function micros(startedAt: number, steps: number): number {
  return ((performance.now() - startedAt) * 1000) / steps;
}
