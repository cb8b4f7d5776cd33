import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../../src/engine/open.ts';
import type { StoreUrl } from '../../../src/engine/store-at.ts';
import { builtScript } from '../runner/built-script.ts';
import type { VictimOrders } from './victim.ts';
import { attend, defaultSteps, type EffectLine, victimGraph } from './victim-graph.ts';

interface KillOptions {
  readonly store: 'file' | 'sqlite';
  readonly kills: number;
  readonly random: () => number;
  /** Super-steps of a run. */
  readonly steps?: number | undefined;
  readonly mutant?: string | undefined;
  /** Looks after every life, and does not wait for the end of the run: enough to find a mutant. */
  readonly isHasty?: boolean | undefined;
}

/** What became of the kills. */
export interface KillReport {
  readonly kills: number;
  /** Runs that came to their end. */
  readonly runs: number;
  /** What an engine may never do; none is good. */
  readonly violations: readonly string[];
}

/** Kills processes in the middle of runs until so many have died; the last run is let come to its end. */
export async function killEngine(options: KillOptions): Promise<KillReport> {
  let kills = 0;
  let runs = 0;
  const violations: string[] = [];
  while (kills < options.kills && violations.length === 0) {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-kill-'));
    try {
      const result = await killOneRun({ ...options, kills: options.kills - kills }, folder);
      kills += result.kills;
      runs += 1;
      violations.push(...result.violations);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { kills, runs, violations };
}

/** When a process is killed: so long after it has acknowledged so much. */
interface Death {
  readonly acks: number;
  /** Only these count, and only what no life before has acknowledged: events begin with all that there was. */
  readonly of: RegExp;
  readonly known: ReadonlySet<string>;
  readonly afterMs: number;
}

/** A life acknowledges less than this, mostly far less: what is done in between is where kills have to strike. */
const mostAcks = 24;
/** As long as the longest of the steps: a kill comes while one is under way, or while nothing is. */
const longestAfterMs = 25;
/** Steps that another one follows in the same task or beside it, which takes 20 ms: a mutant shows when that is cut. */
const telling = /^again-a-|^each-/;

interface Life {
  readonly acks: readonly string[];
  readonly end: unknown;
  readonly errors: string;
}

async function killOneRun(options: KillOptions, folder: string) {
  const { store, kills, mutant, isHasty = false, steps = defaultSteps } = options;
  const url: StoreUrl = store === 'file' ? `file:${join(folder, 'runs')}` : `sqlite:${join(folder, 'runs.db')}`;
  const effects = join(folder, 'effects.jsonl');
  const attends = store === 'file';
  const stop = new AbortController();
  const external = attends ? undefined : answerAsExternal(url, effects, stop.signal);
  const lives: Life[] = [];
  try {
    for (let life = 1; life < 200; life += 1) {
      const orders: VictimOrders = { url, effects, life, attends, steps, mutant };
      // The last life may come to its end.
      const isLast = lives.length >= kills;
      const lived = await live(orders, isLast ? undefined : deathOf(options, lives));
      lives.push(lived);
      if (isHasty && (repeated(lives, readEffects(effects)).length > 0 || lives.length >= kills)) break;
      if (lived.end !== undefined || (isLast && lived.errors !== '')) break;
    }
  } finally {
    stop.abort();
    await external;
  }
  if (isHasty) return { kills: lives.length, violations: repeated(lives, readEffects(effects)) };
  const died = lives.filter(({ end }) => end === undefined).length;
  return { kills: died, violations: judge(lives, readEffects(effects), steps) };
}

/** So many lives in a row may acknowledge nothing: a run whose workers die five times before any of them writes is failed. */
const mostBarren = 3;

/** By what the process has done, not by how long it took: kills strike all over a run on a busy machine, too. */
function deathOf({ random, isHasty = false }: KillOptions, lives: readonly Life[]): Death {
  const known = new Set(lives.flatMap(({ acks }) => acks));
  const before = new Set(lives.slice(0, -mostBarren).flatMap(({ acks }) => acks));
  const isBarren = lives.length >= mostBarren && known.size === before.size;
  if (isHasty) return { acks: 1 + Math.floor(random() * 3), of: telling, known, afterMs: random() * 5 };
  const acks = Math.floor(random() ** 2 * mostAcks);
  return { acks: isBarren ? Math.max(acks, 1) : acks, of: /./, known, afterMs: random() * longestAfterMs };
}

/** One process: killed as told once it is ready, or let come to its end. */
async function live(orders: VictimOrders, death: Death | undefined): Promise<Life> {
  const child = spawn(process.execPath, [builtScript('engine/victim'), JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const acks: string[] = [];
  let end: unknown;
  let isReady = false;
  let isDying = false;
  let errors = '';
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-2_000);
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const said = JSON.parse(line) as { readonly ready?: true; readonly ack?: string; readonly end?: unknown };
      if (said.ack !== undefined) acks.push(said.ack);
      if (said.end !== undefined) end = said.end;
      if (said.ready === true) isReady = true;
    }
    if (death === undefined || isDying || !isReady || countNew(acks, death) < death.acks) return;
    isDying = true;
    setTimeout(() => kill(child), death.afterMs);
  });
  await new Promise((resolve) => child.once('close', resolve));
  return { acks, end, errors };
}

function countNew(acks: readonly string[], { of, known }: Death): number {
  return acks.filter((ack) => of.test(ack) && !known.has(ack)).length;
}

function kill(child: ChildProcess): void {
  if (child.exitCode === null) child.kill('SIGKILL');
}

/** Answers from another process, through the same store. */
async function answerAsExternal(url: StoreUrl, effects: string, signal: AbortSignal): Promise<void> {
  await using engine = await openEngine(url, { executes: false });
  const graph = victimGraph(() => undefined);
  const hasHappened = (key: string): boolean => readFileSync(effects, 'utf8').includes(key);
  while (!signal.aborted) {
    try {
      await attend(await engine.get(graph, 'victim'), hasHappened, signal);
      return;
    } catch {
      // It is not there yet, or the store was busy: looks again.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function readEffects(path: string): readonly EffectLine[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as EffectLine);
}

/** Holds what happened against what may. */
function judge(lives: readonly Life[], effects: readonly EffectLine[], steps: number): readonly string[] {
  const violations: string[] = [];
  const last = lives.at(-1);
  const expected = JSON.stringify({ status: 'completed', state: expectedState(steps) });
  if (JSON.stringify(last?.end) !== expected) {
    violations.push(`came to ${JSON.stringify(last?.end)?.slice(0, 300)} ${last?.errors}`);
  }
  return [...violations, ...repeated(lives, effects)];
}

/** What ran again that may not: what was acknowledged, and once effects. */
function repeated(lives: readonly Life[], effects: readonly EffectLine[]): readonly string[] {
  const violations: string[] = [];
  lives.forEach(({ acks }, at) => {
    const acked = new Set(acks);
    const again = effects.find(({ life, name }) => life > at + 1 && acked.has(name));
    if (again !== undefined)
      violations.push(`${again.name} ran again in life ${again.life}, acknowledged in ${at + 1}`);
  });
  const once = effects.filter(({ name }) => name.startsWith('once-')).map(({ key }) => key);
  const twice = once.find((key, at) => once.indexOf(key) !== at);
  if (twice !== undefined) violations.push(`the once effect ${twice} happened twice`);
  return violations;
}

/** The state at the end, by plain arithmetic. */
function expectedState(steps: number): object {
  const log: string[] = [];
  let sum = 3;
  for (let n = 1; n < steps; n += 1) {
    const given = [3, n, 6, 5, 7, 0, n][n % 7] as number;
    sum += given;
    if (n % 7 === 2) log.push(...[0, 1, 2, 3].map((item) => `${n}/${item}`));
  }
  return { n: steps, sum, log };
}
