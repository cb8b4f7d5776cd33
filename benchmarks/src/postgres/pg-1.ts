import { type Engine, openEngine } from 'holdfast';
import type { Figure, Report } from '../report.ts';
import { median } from '../timing.ts';
import { runToEnd, trivialLoop } from '../trivial-graph.ts';
import { bareStatement } from './bare-statement.ts';
import { type BenchServer, withServer } from './bench-server.ts';
import { openPostgresPeers } from './postgres-peers.ts';

const rounds = 5;
const steps = 1_000;
/** What peers do: so many runs of ten steps, one after another. */
const peerRuns = 20;
const peerSteps = 10;

/** One run at a time through the whole engine, beside a bare loop of the same statement on one connection, and beside peers. */
export async function pg1(): Promise<Report> {
  return withServer(async (server) => {
    const trips = await tripsPerStep(server);
    await using engine = await openEngine(server.url('bench'), { lease: '10m' });
    const bare = await bareStatement(server, steps);
    const peers = await openPostgresPeers({ server, runs: peerRuns, atOnce: false });
    const rates = { engine: [] as number[], short: [] as number[], pg: [] as number[], pgbench: [] as number[] };
    const loop = trivialLoop(steps);
    await runToEnd(engine, loop, steps);
    await bare.byPg();
    for (let round = 0; round < rounds; round += 1) {
      rates.engine.push(await perSecond(steps, () => runToEnd(engine, loop, steps)));
      rates.pg.push(await perSecond(steps, bare.byPg));
      const pgbench = await bare.byPgbench();
      if (pgbench !== undefined) rates.pgbench.push(pgbench);
      rates.short.push(await perSecond(peerRuns * peerSteps, () => shortRuns(engine)));
      await peers.measure();
    }
    await bare.end();
    await peers.close();
    const over = (sides: readonly number[]): number =>
      median(rates.engine.map((each, at) => each / (sides[at] ?? Number.NaN)));
    const best = peers.best();
    return {
      settings: { rounds, steps, peerRuns, peerSteps, fsync: 'on', node: process.version },
      figures: [
        { name: 'round trips per super-step, counted by a proxy', value: trips, unit: 'trips', atMost: 1, atLeast: 1 },
        { name: 'engine ÷ a bare loop of the same statement', value: over(rates.pg), unit: 'ratio', atLeast: 0.85 },
        ...(rates.pgbench.length === 0 ? [] : [pgbenchRatio(over(rates.pgbench))]),
        ...(best === undefined ? [] : [peerRatio(median(rates.short) / best)]),
        { name: 'engine, a run of 1,000', value: median(rates.engine), unit: 'steps/s' },
        { name: 'engine, runs of ten', value: median(rates.short), unit: 'steps/s' },
        { name: 'bare loop', value: median(rates.pg), unit: 'steps/s' },
        ...(rates.pgbench.length === 0 ? [] : [{ name: 'pgbench', value: median(rates.pgbench), unit: 'steps/s' }]),
        ...peers.figures(),
      ],
    };
  });
}

function pgbenchRatio(value: number): Figure {
  return { name: 'engine ÷ pgbench with the same statement', value, unit: 'ratio', atLeast: 0.6 };
}

function peerRatio(value: number): Figure {
  return { name: 'engine ÷ the best peer, runs of ten', value, unit: 'ratio', atLeast: 4 };
}

async function shortRuns(engine: Engine): Promise<void> {
  const loop = trivialLoop(peerSteps);
  for (let run = 0; run < peerRuns; run += 1) await runToEnd(engine, loop, peerSteps);
}

async function perSecond(count: number, play: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await play();
  return (1_000 * count) / (performance.now() - startedAt);
}

/** The difference of a long run and a short one, without what goes on beside them. */
async function tripsPerStep({ cluster, proxied }: BenchServer): Promise<number> {
  await using engine = await openEngine(proxied('trips'), { lease: '10m' });
  const [proxy] = cluster.proxies;
  const tripsOf = async (length: number): Promise<number> => {
    const before = proxy?.trips.length ?? 0;
    await runToEnd(engine, trivialLoop(length), length);
    const trips = proxy?.trips.slice(before) ?? [];
    return trips.filter((sql) => sql !== undefined && !/pg_notify|^LISTEN/u.test(sql)).length;
  };
  await tripsOf(5);
  const few = await tripsOf(20);
  return ((await tripsOf(120)) - few) / 100;
}
