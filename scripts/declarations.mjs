// @ts-check
// Brings the declarations that an export of a package leads to from `dist/.types`, where tsc puts all of them, to `dist`: the
// others describe what users cannot import.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What is imported from a file beside it. */
const relativeImport = /(?:from|import\()\s*['"](\.[^'"]+)\.[jt]s['"]/g;
/** Documentation, whose examples import what only the reader has. */
const docComment = /\/\*\*[\s\S]*?\*\//g;

for (const name of ['core', 'server', 'studio']) {
  const folder = resolve(import.meta.dirname, '../packages', name);
  if (existsSync(join(folder, 'dist/.types'))) bring(folder);
}

/** @param {string} folder */
function bring(folder) {
  const dist = join(folder, 'dist');
  const made = join(dist, '.types');
  /** @type {{ exports: Record<string, string | { types: string }> }} */
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [resolve(folder, entry.types)],
  );
  /** @type {Map<string, string>} */
  const reached = new Map();
  const waiting = entries.map((entry) => join(made, relative(dist, entry)));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    const text = readFileSync(file, 'utf8');
    reached.set(file, text);
    const code = text.replaceAll(docComment, '');
    for (const [, path = ''] of code.matchAll(relativeImport)) waiting.push(join(dirname(file), `${path}.d.ts`));
  }
  const kept = new Set([...reached.keys()].map((file) => join(dist, relative(made, file))));
  for (const { parentPath, name } of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    if (/\.d\.ts(?:\.map)?$/.test(name) && !path.startsWith(made) && !kept.has(path)) rmSync(path, { force: true });
  }
  for (const [file, text] of reached) write(join(dist, relative(made, file)), text);
}

/** Others may be reading. @param {string} path @param {string} text */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
