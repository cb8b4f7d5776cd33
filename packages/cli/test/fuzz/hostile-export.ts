import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

type Line = Record<string, unknown>;
/** What a text or a number becomes. */
type Next = (before: string | number) => unknown;

/** Puts hostile texts in the place of some texts of an export, with good checksums, as an attacker would. */
export function hostileExport(file: Uint8Array, next: Next): Uint8Array {
  const lines = Buffer.from(file)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as Line);
  const changed = lines.map(({ sum: _, ...line }, at) => (at === 0 ? line : (withTexts(line, next) as Line)));
  const text = changed.map((line, at) => sealed(at + 1, JSON.stringify(line).slice(0, -1))).join('');
  const count = (key: string): number => changed.filter((line) => Object.keys(line)[0] === key).length;
  const counts = { runs: count('runId'), records: count('seq'), snapshots: count('snapshot') };
  const sha256 = createHash('sha256').update(text).digest('hex');
  return Buffer.from(text + sealed(changed.length + 1, `{"end":${JSON.stringify(counts)},"sha256":"${sha256}"`));
}

/** A line of the format, from its members without the closing brace. */
function sealed(number: number, open: string): string {
  const sum = crc32(`${number} ${open}`).toString(16).padStart(8, '0');
  return `${open},"sum":"${sum}"}\n`;
}

function withTexts(value: unknown, next: Next): unknown {
  if (typeof value === 'string' || typeof value === 'number') return next(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, next));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each, next)]));
}
