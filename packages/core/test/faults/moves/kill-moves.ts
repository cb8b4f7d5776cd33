import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../../src/engine/open.ts';
import { storeAt } from '../../../src/engine/store-at.ts';
import { builtScript } from '../runner/built-script.ts';
import { judge } from './judge.ts';
import { mutantNamed } from './mutants.ts';
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
import { type Picture, pictureOf } from './picture.ts';
import { graphs, populate } from './population.ts';
import type { MoveOrders } from './victim.ts';

interface KillMovesOptions {
  readonly operation: Operation;
  readonly store: StoreKind;
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

/** What the stores are before and after the operation, if nothing comes between. */
export interface Expected {
  readonly source: Picture;
  readonly before: Picture;
  readonly after: Picture;
}

/** Kills processes in the middle of an operation; looks what is left; and calls the operation again. */
export async function killMoves(options: KillMovesOptions): Promise<MoveReport> {
  const { operation, store, random, mutant } = options;
  const root = mkdtempSync(join(tmpdir(), 'holdfast-moves-'));
  try {
    const template: Place = { folder: join(root, 'template'), store };
    await prepare(template);
    const whole = await copyOf(template, join(root, 'whole'));
    const before = await pictureOf(await storeAt(changedUrl(operation, whole)));
    const source = await pictureOf(await storeAt(sourceUrl(whole)));
    const { tookMs } = await live({ ...whole, operation });
    if (tookMs === undefined) throw new Error(`${operation} on ${store} does not come to its end`);
    const after = await pictureOf(await storeAt(changedUrl(operation, whole)));
    const expected: Expected = { source, before, after };
    let inTheMiddle = 0;
    let kills = 0;
    const violations: string[] = [];
    while (kills < options.kills && violations.length === 0) {
      kills += 1;
      const place = await copyOf(template, join(root, `kill-${kills}`));
      const { tookMs: ended } = await live({ ...place, operation, mutant }, random() * tookMs * 1.1);
      const found = await judge({ operation, place, expected, again: () => carryOutAgain(operation, place, mutant) });
      if (ended === undefined && found.isChanged) inTheMiddle += 1;
      violations.push(...found.violations.map((violation) => `${operation} on ${store}, kill ${kills}: ${violation}`));
      rmSync(place.folder, { recursive: true, force: true });
    }
    return { kills, inTheMiddle, violations };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Broken code is broken when it is called again, too: in a process of its own, so that it breaks nothing else. */
async function carryOutAgain(operation: Operation, place: Place, mutant: string | undefined): Promise<void> {
  if (mutant === undefined) return carryOut(operation, place);
  const { tookMs, errors } = await live({ ...place, operation, mutant: mutantNamed(mutant).name });
  if (tookMs === undefined) throw new Error(errors);
}

/** A store with runs of every kind, another with one run, and files of some runs. */
async function prepare(place: Place): Promise<void> {
  mkdirSync(join(place.folder, 'files'), { recursive: true });
  for (const name of ['source', 'target']) mkdirSync(join(place.folder, name), { mode: 0o700 });
  await using engine = await open(sourceUrl(place), { graphs });
  await populate(engine, 4);
  for (const run of importedRuns) {
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.export(run)) pieces.push(piece);
    writeFileSync(fileOf(place, run), Buffer.concat(pieces));
  }
  await using target = await open(targetUrl(place));
  await target.journal.append('resident', { payload: 'was here before' });
}

async function copyOf({ folder, store }: Place, to: string): Promise<Place> {
  cpSync(folder, to, { recursive: true });
  return { folder: to, store };
}

interface Life {
  /** How long the operation took; undefined when it did not come to its end. */
  readonly tookMs: number | undefined;
  readonly errors: string;
}

/** One process, killed so long after it was ready; without a time, let come to its end. */
async function live(orders: MoveOrders, afterMs?: number): Promise<Life> {
  if (!existsSync(orders.folder)) throw new Error(`${orders.folder} is missing`);
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
