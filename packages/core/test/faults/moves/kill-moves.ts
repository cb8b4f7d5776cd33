import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../../src/engine/open.ts';
import { storeAt } from '../../../src/engine/store-at.ts';
import { builtScript } from '../runner/built-script.ts';
import { type Expected, judge } from './judge.ts';
import {
  carryOut,
  changedUrl,
  fileOf,
  importedRuns,
  type Operation,
  type Place,
  type StoreKind,
  sourceUrl,
  targetUrl,
} from './operation.ts';
import { pictureOf } from './picture.ts';
import { graphs, populate } from './population.ts';
import type { MoveOrders } from './victim.ts';

interface KillOptions {
  readonly operation: Operation;
  readonly kills: number;
  /** It continues until so many kills have struck in the middle, for a limited number of kills; default 0. */
  readonly inTheMiddle?: number | undefined;
  readonly random: () => number;
  /** Broken on purpose: the first violation ends it. */
  readonly mutant?: string | undefined;
}

/** What became of the kills. */
export interface MoveReport {
  readonly kills: number;
  /** Those that struck when something was changed and the rest was not. */
  readonly inTheMiddle: number;
  readonly violations: readonly string[];
}

/** What an operation does, and in how many calls of the store, if nothing comes between. */
interface Undisturbed {
  readonly expected: Expected;
  readonly calls: number;
}

/** When a process is killed: so long after this call of the store has begun; at once for none. */
interface Death {
  readonly call: number;
  readonly afterMs: number;
}

/** A call takes less than this, mostly. */
const longestAfterMs = 4;

/** How many times its kills a bench does at most to strike in the middle: on a busy machine most may come too late. */
const leeway = 100;

/** Stores to break: made once, and copied for every kill. */
export class MovesBench implements AsyncDisposable {
  readonly #root: string;
  readonly #template: Place;
  readonly #undisturbed = new Map<Operation, Promise<Undisturbed>>();
  #places = 0;

  private constructor(root: string, store: StoreKind) {
    this.#root = root;
    this.#template = { folder: join(root, 'template'), store };
  }

  static async prepare(store: StoreKind): Promise<MovesBench> {
    const bench = new MovesBench(mkdtempSync(join(tmpdir(), 'holdfast-moves-')), store);
    await prepare(bench.#template);
    return bench;
  }

  /** Kills processes in the middle of an operation; looks what is left; and calls the operation again. */
  async kill({ operation, kills: least, inTheMiddle: wanted = 0, random, mutant }: KillOptions): Promise<MoveReport> {
    const { expected, calls: undisturbed } = await this.#expect(operation);
    const calls = mutant === undefined ? undisturbed : await this.#callsOf(operation, mutant, undisturbed);
    let inTheMiddle = 0;
    let kills = 0;
    const violations: string[] = [];
    const isEnough = (): boolean => kills >= least && (inTheMiddle >= wanted || kills >= least * leeway);
    while (!isEnough() && violations.length === 0) {
      kills += 1;
      const place = this.#copy();
      const death = { call: Math.floor(random() * (calls + 1)), afterMs: random() * longestAfterMs };
      const { isOver } = await live({ ...place, operation, mutant }, death);
      const found = await judge({ operation, place, expected, again: () => carryOutAgain(operation, place, mutant) });
      if (!isOver && found.isChanged) inTheMiddle += 1;
      violations.push(...found.violations.map((what) => `${operation} on ${place.store}, kill ${kills}: ${what}`));
      rmSync(place.folder, { recursive: true, force: true });
    }
    return { kills, inTheMiddle, violations };
  }

  /** How many calls broken code makes, where it comes to an end: kills have to strike all over it. */
  async #callsOf(operation: Operation, mutant: string, otherwise: number): Promise<number> {
    const place = this.#copy();
    const { isOver, calls } = await live({ ...place, operation, mutant });
    rmSync(place.folder, { recursive: true, force: true });
    return isOver ? calls : otherwise;
  }

  #expect(operation: Operation): Promise<Undisturbed> {
    const known = this.#undisturbed.get(operation) ?? this.#undisturb(operation);
    this.#undisturbed.set(operation, known);
    return known;
  }

  async #undisturb(operation: Operation): Promise<Undisturbed> {
    const place = this.#copy();
    const before = await pictureOf(await storeAt(changedUrl(operation, place)));
    const source = await pictureOf(await storeAt(sourceUrl(place)));
    const { isOver, calls, errors } = await live({ ...place, operation });
    if (!isOver) throw new Error(`${operation} on ${place.store} does not come to its end: ${errors}`);
    const after = await pictureOf(await storeAt(changedUrl(operation, place)));
    return { expected: { source, before, after }, calls };
  }

  #copy(): Place {
    this.#places += 1;
    const folder = join(this.#root, `place-${this.#places}`);
    cpSync(this.#template.folder, folder, { recursive: true });
    return { folder, store: this.#template.store };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Broken code is broken when it is called again, too: in a process of its own, so that it breaks nothing else. */
async function carryOutAgain(operation: Operation, place: Place, mutant: string | undefined): Promise<void> {
  if (mutant === undefined) return carryOut(operation, place);
  const { isOver, errors } = await live({ ...place, operation, mutant });
  if (!isOver) throw new Error(errors);
}

/** A store with runs of every kind, another with one run, and files of some runs. */
async function prepare(place: Place): Promise<void> {
  mkdirSync(join(place.folder, 'files'), { recursive: true });
  for (const name of ['source', 'target']) mkdirSync(join(place.folder, name), { mode: 0o700 });
  await using engine = await openEngine(sourceUrl(place), { graphs });
  await populate(engine, 4);
  for (const runId of importedRuns) {
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.export(runId)) pieces.push(piece);
    writeFileSync(fileOf(place, runId), Buffer.concat(pieces));
  }
  await using target = await openEngine(targetUrl(place));
  await target.journal.append('resident', { payload: 'was here before' });
}

interface Life {
  /** Whether the operation came to its end. */
  readonly isOver: boolean;
  /** How many calls that change the store it has begun. */
  readonly calls: number;
  readonly errors: string;
}

/** One process, killed as told; otherwise let come to its end. */
async function live(orders: MoveOrders, death?: Death): Promise<Life> {
  const child = spawn(process.execPath, [builtScript('moves/victim'), JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isOver = false;
  let isReady = false;
  let isDying = false;
  let calls = 0;
  let errors = '';
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-2_000);
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const said = JSON.parse(line) as { readonly ready?: true; readonly call?: string; readonly end?: true };
      isReady ||= said.ready === true;
      isOver ||= said.end === true;
      if (said.call !== undefined) calls += 1;
    }
    if (death === undefined || isDying || !isReady || calls < death.call) return;
    isDying = true;
    setTimeout(() => child.kill('SIGKILL'), death.afterMs);
  });
  await new Promise((resolve) => child.once('close', resolve));
  return { isOver, calls, errors };
}
