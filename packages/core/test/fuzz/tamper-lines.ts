import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealLine } from '../../src/value/hash/sealed-line.ts';
import { hostileCell, hostileText, mutateJson, pick, type Random } from './hostile-json.ts';

const runs = 'runs';
/** The last member of a line, which the checksum is put into again. */
const sum = /,"sum":"[0-9a-f]{8}"\}$/u;

/** Changes one line of a file store that is closed, and seals all lines of its file again. */
export function tamperLines(root: string, random: Random): void {
  const folders = readdirSync(join(root, runs));
  const folder = pick(random, folders);
  const segments = readdirSync(join(root, runs, folder)).filter((name) => name.startsWith('journal-'));
  const files = ['index.jsonl', 'leases.json', ...segments.map((name) => join(runs, folder, name))];
  const file = pick(random, [...files, ...files.slice(2), ...files.slice(2)]);
  const path = join(root, file);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const at = Math.floor(random() * lines.length);
  const changed = lines.map((line, index) => (index === at ? changedLine(line, random) : line.replace(sum, '')));
  writeFileSync(path, sealed(file, folder, changed));
  // Otherwise nobody would look at the journal when the store is opened.
  if (file !== 'index.jsonl') rmSync(join(root, 'index.jsonl'), { force: true });
}

/** Another text without its closing brace: of the same members mostly, and of any. */
function changedLine(line: string, random: Random): string {
  const open = line.replace(sum, '');
  if (random() < 0.2) return `${open.slice(0, Math.floor(random() * open.length))}${hostileCell(random)}`;
  return hostileText(mutateJson(JSON.parse(`${open}}`), random)).slice(0, -1);
}

/** In a journal, a checksum covers the place of its line, and the last line of a commit says where that begins. */
function sealed(file: string, folder: string, lines: readonly string[]): string {
  if (!file.startsWith(runs)) {
    return lines.map((open, at) => sealLine(file === 'index.jsonl' ? `index ${at} ` : `${file} `, open)).join('');
  }
  const first = Number(/journal-(\d+)/u.exec(file)?.[1]);
  let text = '';
  let offset = 0;
  let begin = 0;
  for (const open of lines) {
    const moved = open.replace(/^(\{"end":true,"from":)\d+/u, `$1${begin}`);
    const line = sealLine(`${folder} ${first} ${offset} `, moved);
    text += line;
    offset += Buffer.byteLength(line);
    if (moved.startsWith('{"end":true,')) begin = offset;
  }
  return text;
}
