import { createHash } from 'node:crypto';
import { exportLine } from '../../src/engine/transfer/export-line.ts';

/** A line of an export, without its checksum. */
export type Line = Record<string, unknown>;

/** The lines of an export but the last, which has only counts and a hash. */
export function linesOf(file: Uint8Array): Line[] {
  const texts = Buffer.from(file).toString('utf8').trimEnd().split('\n');
  return texts.slice(0, -1).map((text) => {
    const line = JSON.parse(text) as Line;
    delete line['sum'];
    return line;
  });
}

/** The same lines as an attacker would send them: with good checksums, counts and hash. */
export function fileOf(lines: readonly Line[], textOf: (line: Line) => string = JSON.stringify): Uint8Array {
  const text = lines.map((line, at) => exportLine(at + 1, textOf(line).slice(0, -1))).join('');
  const count = (key: string): number => lines.filter((line) => Object.keys(line)[0] === key).length;
  const counts = { runs: count('runId'), records: count('seq'), snapshots: count('snapshot') };
  const sha256 = createHash('sha256').update(text).digest('hex');
  return Buffer.from(text + exportLine(lines.length + 1, `{"end":${JSON.stringify(counts)},"sha256":"${sha256}"`));
}
