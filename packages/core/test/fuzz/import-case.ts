import { openEngine } from '../../src/engine/open.ts';
import { HoldfastError } from '../../src/errors/holdfast-error.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { graphs, populate } from '../faults/moves/population.ts';
import { fileOf, type Line, linesOf } from '../security/export-file.ts';
import { type StoreName, withStore } from './case-place.ts';
import { describeError, type Finding } from './finding.ts';
import { hostileText, mutateJson, pick, type Random } from './hostile-json.ts';
import { useStore } from './use-store.ts';

/** The lines of real exports, one list per run of a store with runs of every kind. */
export type Exports = readonly (readonly Line[])[];

/** Exports every run of a populated store. */
export async function realExports(): Promise<Exports> {
  await using engine = await openEngine(memoryStore(), { graphs });
  await populate(engine);
  const exports: (readonly Line[])[] = [];
  for await (const { id } of engine.runs()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of engine.export(id)) chunks.push(chunk);
    exports.push(linesOf(Buffer.concat(chunks)));
  }
  return exports;
}

/** Imports a file that an attacker made of a real one, and uses the store afterwards. */
export async function importCase(exports: Exports, random: Random, name: StoreName): Promise<readonly Finding[]> {
  const honest = pick(random, exports);
  const file = hostileFile(exports, honest, random);
  return withStore(name, async (store) => {
    const findings: Finding[] = [];
    const engine = await openEngine(store, { graphs, executes: random() < 0.5 });
    // Some come upon the run that they claim to be.
    if (random() < 0.2) await engine.import(fileOf(honest));
    try {
      await engine.import(file);
    } catch (error) {
      if (!HoldfastError.is(error)) findings.push({ kind: 'untyped', what: `import: ${describeError(error)}` });
    }
    await engine.close();
    return [...findings, ...(await useStore(store, random))];
  });
}

function hostileFile(exports: Exports, honest: readonly Line[], random: Random): Uint8Array {
  let lines = [...honest];
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1) {
    lines = changeLines(lines, pick(random, exports), random);
  }
  const file = fileOf(lines, hostileText);
  // A few are broken where the checksums see it.
  if (random() < 0.9) return file;
  const at = Math.floor(random() * file.length);
  if (random() < 0.5) return file.subarray(0, at);
  return file.map((byte, index) => (index === at ? byte ^ (1 << Math.floor(random() * 8)) : byte));
}

function changeLines(lines: readonly Line[], other: readonly Line[], random: Random): Line[] {
  const at = Math.floor(random() * lines.length);
  const change = random();
  if (change < 0.5) return lines.with(at, mutateJson(lines[at] as Line, random));
  if (change < 0.6) return withHead(lines.toSpliced(at, 1), random);
  if (change < 0.7) return withHead(lines.toSpliced(at, 0, lines[at] as Line), random);
  if (change < 0.8) return withHead(lines.toSpliced(at, 0, pick(random, other)), random);
  if (change < 0.9)
    return lines.with(at, pick(random, lines)).with(Math.floor(random() * lines.length), lines[at] as Line);
  return withParent(lines, random);
}

/** Mostly mends seqs and heads, so that what lies behind their checks is reached. */
function withHead(lines: readonly Line[], random: Random): Line[] {
  if (random() < 0.2) return [...lines];
  const mended = lines.map((line) => ({ ...line }));
  let run: Line | undefined;
  let seq = 0;
  for (const line of mended) {
    if ('runId' in line) {
      run = line;
      const base = line['forkedAt'] as { readonly seq?: unknown } | null | undefined;
      seq = Math.max(Number(line['floor']) || 0, Number(base?.seq) || 0);
    } else if ('seq' in line) {
      seq += 1;
      line['seq'] = seq;
    }
    if (run !== undefined) run['head'] = seq;
  }
  return mended;
}

/** Makes a run the child, or the fork, of any run of the file. */
function withParent(lines: readonly Line[], random: Random): Line[] {
  const runs = lines.filter((line) => 'runId' in line);
  const [child, parent] = [pick(random, runs), pick(random, runs)];
  if (child === undefined || parent === undefined) return [...lines];
  const change: Line =
    random() < 0.6
      ? { parentId: parent['runId'] }
      : { forkedAt: { runId: parent['runId'], seq: Math.floor(random() * 5) } };
  return lines.map((line) => (line === child ? { ...line, ...change } : line));
}
