// @ts-check
// No folder of the sources has more than 15 files at one level; tests are not counted.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const limit = 15;

for (const name of readdirSync('packages')) {
  const root = join('packages', name, 'src');
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.test\.tsx?$/.test(entry.name)) continue;
    counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
  }
  for (const [folder, count] of counts) {
    if (count <= limit) continue;
    console.error(`${folder}: ${count} files, at most ${limit} are allowed: give what belongs together a folder`);
    process.exitCode = 1;
  }
}
