import { join } from 'node:path';
import { type Engine, openEngine } from 'holdfast';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';
import { growingLoop, trivialLoop } from './trivial-graph.ts';

const many = 10_000;
const few = 1_000;
const near = 500;
const resumes = 7;
/** Places between two snapshots of a trivial run, of which there is one in about fifty steps: what is read differs with them. */
const phases = [0, 12, 24, 36];

type Loop = ReturnType<typeof trivialLoop>;

/** That a step costs the same however many came before it, and that resuming costs what the state is large. */
export async function flat(): Promise<Report> {
  return inScratch(async (folder) => {
    const url = `sqlite:${join(folder, 'bench.db')}` as const;
    const plain: number[] = [];
    const growing: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await using engine = await openEngine(url);
      plain.push(await lateByEarly(engine, trivialLoop(many)));
      growing.push(await lateByEarly(engine, growingLoop(many, 100)));
    }
    const resumed = await resumeRatio(url);
    return {
      settings: { many, few, near, resumes, phases: phases.join('/'), durability: 'full', node: process.version },
      figures: [
        { name: 'step at 10,000 ÷ at 10', value: median(plain), unit: 'ratio', atMost: 1.1 },
        { name: 'the same, a list growing by one a step', value: median(growing), unit: 'ratio', atMost: 1.1 },
        { name: 'resume after 10,000 ÷ after 1,000 steps', value: resumed, unit: 'ratio', atMost: 1.2 },
      ],
    };
  });
}

/** The median time of the last steps of a long run ÷ that of its first. */
async function lateByEarly(engine: Engine, loop: Loop): Promise<number> {
  const run = await engine.start(loop, {}, { maxSupersteps: many + 1 });
  const at: number[] = [];
  for await (const event of run.events()) if (event.type === 'node-start') at.push(performance.now());
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? time));
  return median(gaps.slice(-near)) / median(gaps.slice(10, 10 + near));
}

/** How long opening the store and taking up a paused run takes after many steps ÷ after few, each at its worst phase. */
async function resumeRatio(url: `sqlite:${string}`): Promise<number> {
  const long: string[] = [];
  const short: string[] = [];
  for (const phase of phases) {
    long.push(await pausedRun(url, many + phase));
    short.push(await pausedRun(url, few + phase));
  }
  const ratios: number[] = [];
  for (let round = 0; round < resumes; round += 1)
    ratios.push((await worstMs(url, long)) / (await worstMs(url, short)));
  return median(ratios);
}

async function worstMs(url: `sqlite:${string}`, runs: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const runId of runs) times.push(await loadMs(url, runId));
  return Math.max(...times);
}

async function pausedRun(url: `sqlite:${string}`, steps: number): Promise<string> {
  await using engine = await openEngine(url);
  const run = await engine.start(trivialLoop(steps + 1), {}, { maxSupersteps: steps });
  await run.outcome();
  return run.id;
}

async function loadMs(url: `sqlite:${string}`, id: string): Promise<number> {
  await using engine = await openEngine(url);
  const startedAt = performance.now();
  await (await engine.get(id)).checkpoint();
  return performance.now() - startedAt;
}
