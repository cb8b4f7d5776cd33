// @ts-check
// No folder of the sources has more than 15 files at one level, tests not counted. And no file name stands for two ideas in
// core: only stores share names, because each does the same jobs.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

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

/** What opens, of an engine and of a store; and what is exported. */
const shared = new Set(['open.ts', 'index.ts']);

/** @param {string} path */
function isOfStore(path) {
  return /^store[\\/]/.test(path);
}

const core = join('packages', 'core', 'src');
/** @type {Map<string, string[]>} */
const named = new Map();
for (const entry of readdirSync(core, { recursive: true, withFileTypes: true })) {
  const path = relative(core, join(entry.parentPath, entry.name));
  if (!entry.isFile() || entry.name.endsWith('.test.ts') || shared.has(entry.name)) continue;
  if (/^testing[\\/]/.test(path)) continue;
  const others = named.get(entry.name) ?? [];
  if (!others.some((other) => [other, path].every(isOfStore))) named.set(entry.name, [...others, path]);
}
for (const [name, paths] of named) {
  if (paths.length === 1) continue;
  console.error(`${name}: ${paths.join(' and ')} have the same name: name each after its main export`);
  process.exitCode = 1;
}
