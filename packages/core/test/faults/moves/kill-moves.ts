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

/** What an operation does, and how long it takes, if nothing comes between. */
interface Undisturbed {
  readonly expected: Expected;
  readonly tookMs: number;
}

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
  async kill({ operation, kills: most, random, mutant }: KillOptions): Promise<MoveReport> {
    const { expected, tookMs: undisturbedMs } = await this.#expect(operation);
    const tookMs = mutant === undefined ? undisturbedMs : await this.#timeOf(operation, mutant, undisturbedMs);
    let inTheMiddle = 0;
    let kills = 0;
    const violations: string[] = [];
    while (kills < most && violations.length === 0) {
      kills += 1;
      const place = this.#copy();
      const { tookMs: ended } = await live({ ...place, operation, mutant }, random() * tookMs * 1.1);
      const found = await judge({ operation, place, expected, again: () => carryOutAgain(operation, place, mutant) });
      if (ended === undefined && found.isChanged) inTheMiddle += 1;
      violations.push(...found.violations.map((what) => `${operation} on ${place.store}, kill ${kills}: ${what}`));
      rmSync(place.folder, { recursive: true, force: true });
    }
    return { kills, inTheMiddle, violations };
  }

  /** How long broken code takes, where it comes to an end: it may be slower, and kills have to strike all over it. */
  async #timeOf(operation: Operation, mutant: string, otherwise: number): Promise<number> {
    const place = this.#copy();
    const { tookMs } = await live({ ...place, operation, mutant });
    rmSync(place.folder, { recursive: true, force: true });
    return tookMs ?? otherwise;
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
    const { tookMs, errors } = await live({ ...place, operation });
    if (tookMs === undefined) throw new Error(`${operation} on ${place.store} does not come to its end: ${errors}`);
    const after = await pictureOf(await storeAt(changedUrl(operation, place)));
    return { expected: { source, before, after }, tookMs };
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
  const { tookMs, errors } = await live({ ...place, operation, mutant });
  if (tookMs === undefined) throw new Error(errors);
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
  /** How long the operation took; undefined when it did not come to its end. */
  readonly tookMs: number | undefined;
  readonly errors: string;
}

/** One process, killed so long after it was ready; without a time, let come to its end. */
async function live(orders: MoveOrders, afterMs?: number): Promise<Life> {
  const child = spawn(process.execPath, [builtScript('moves/victim'), JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tookMs: number | undefined;
  let errors = '';
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-2_000);
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const said = JSON.parse(line) as { readonly ready?: true; readonly end?: number };
      if (said.ready === true && afterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), afterMs);
      tookMs = said.end ?? tookMs;
    }
  });
  await new Promise((resolve) => child.once('close', resolve));
  return { tookMs, errors };
}
