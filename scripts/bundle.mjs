// @ts-check
// Makes the JavaScript: few files instead of hundreds of modules, because each module that Node has to find and link
// costs a start 0.3 ms and more. Types are tsc's business: `declarations.mjs` brings those that are shipped.
//   node scripts/bundle.mjs             what is shipped: core, the server, the studio and the command line
//   node scripts/bundle.mjs core faults some of the bundles
// A bundle that is newer than everything it was made of is left as it is, so tests may ask for it at any time.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * @typedef {object} Bundle
 * @property {string} folder the entries are relative to it
 * @property {string} to where it goes
 * @property {readonly string[]} entries files that somebody names: the others share chunks
 * @property {readonly string[]} sources folders; whatever changes in them makes the bundle old
 * @property {readonly string[]} [installed] what it names and does not hold, besides the packages of others
 * @property {string} [pages] the configuration of Vite that builds what a browser loads
 * @property {string} [chunks] where the chunks go: a file that asks for `import.meta.url` may end up there
 */

/** @type {Readonly<Record<string, Bundle>>} */
const bundles = {
  core: {
    folder: 'packages/core/src',
    to: 'packages/core/dist',
    entries: [
      'index',
      'store/index',
      'store/file/index',
      'store/sqlite/index',
      'store/postgres/index',
      'testing/index',
    ],
    sources: ['packages/core/src'],
  },
  server: {
    folder: 'packages/server/src',
    to: 'packages/server/dist',
    entries: ['index', 'client/index', 'hooks/react', 'hooks/preact'],
    sources: ['packages/server/src'],
    installed: ['holdfast', 'hono', 'preact', 'react'],
  },
  studio: {
    folder: 'packages/studio/src',
    to: 'packages/studio/dist',
    entries: ['index'],
    sources: ['packages/studio', 'packages/server/src/client'],
    pages: 'packages/studio/vite.config.ts',
  },
  cli: {
    folder: 'packages/cli/src',
    to: 'packages/cli/dist',
    entries: ['main'],
    sources: ['packages/cli/src'],
    installed: ['holdfast'],
  },
  faults: {
    folder: 'packages/core',
    to: 'packages/core/test/faults/dist',
    entries: [
      'test/faults/runner/start',
      'test/faults/runner/main',
      'test/faults/runner/lane',
      'test/faults/workload/writer',
      'test/faults/workload/script',
      'test/faults/workload/full-disk-writer',
      'test/faults/processes/worker',
      'test/faults/processes/holder',
      'test/faults/engine/main',
      'test/faults/engine/victim',
      'test/faults/moves/main',
      'test/faults/moves/victim',
    ],
    sources: ['packages/core/src', 'packages/core/test/faults'],
    chunks: 'test/faults/chunks',
  },
  sim: {
    folder: 'packages/core',
    to: 'packages/core/test/sim/dist',
    entries: ['test/sim/main', 'test/sim/lane'],
    sources: ['packages/core/src', 'packages/core/test/sim', 'packages/core/test/faults/runner'],
    chunks: 'test/sim',
  },
  fuzz: {
    folder: 'packages/core',
    to: 'packages/core/test/fuzz/dist',
    entries: ['test/fuzz/main', 'test/fuzz/lane'],
    sources: [
      'packages/core/src',
      'packages/core/test/fuzz',
      'packages/core/test/security',
      'packages/core/test/faults/runner',
    ],
    chunks: 'test/fuzz',
  },
  fleet: {
    folder: 'packages/core',
    to: 'packages/core/test/fleet/dist',
    entries: ['test/fleet/main', 'test/fleet/ha/main', 'test/fleet/worker/worker'],
    sources: ['packages/core/src', 'packages/core/test/fleet', 'packages/core/test/faults/runner'],
    installed: ['pg'],
    chunks: 'test/fleet',
  },
  'cli-fuzz': {
    folder: 'packages/cli',
    to: 'packages/cli/test/fuzz/dist',
    entries: ['test/fuzz/lane'],
    sources: ['packages/core/src', 'packages/cli/src', 'packages/cli/test/fuzz', 'packages/cli/test/security'],
    chunks: 'test/fuzz',
  },
  requirements: {
    folder: 'test/requirements/program',
    to: 'test/requirements/dist',
    entries: ['main'],
    sources: ['packages/core/src', 'packages/core/test/faults/runner', 'test/requirements'],
  },
  benchmarks: {
    folder: 'benchmarks/src',
    to: 'benchmarks/dist',
    entries: ['run', 'peer-child', 'reopen-child', 'takeover-child', 'pg-claim-child'],
    sources: ['packages/core/src', 'packages/core/test/fleet/rig', 'benchmarks/src'],
    installed: ['pg'],
    chunks: '.',
  },
};

/** A chunk that is loaded for what it does: none of ours does anything, and other bundlers warn of them. */
const bareImport = /^import "\.[^"\n]+";$/gm;

/** Written when all the rest is. */
const stamp = '.bundle';

/** All that is under a folder, without what was made there and what links lead to. @param {string} folder @returns {string[]} */
function filesIn(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => !each.isSymbolicLink());
  const made = join(folder, 'dist');
  return found.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.startsWith(made));
}

/** @param {string} file */
function changedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @param {Bundle} bundle */
function isNew({ to, sources }) {
  const madeMs = changedMs(join(to, stamp));
  return madeMs > changedMs('scripts/bundle.mjs') && sources.flatMap(filesIn).every((file) => changedMs(file) < madeMs);
}

/** @param {Bundle} bundle */
async function make({ folder, to, entries, chunks = 'chunks', installed = [], pages }) {
  const { outputFiles, metafile } = await build({
    entryPoints: entries.map((name) => join(folder, `${name}.ts`)),
    outbase: folder,
    outdir: to,
    chunkNames: `${chunks}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // The benchmarks and the harnesses name `holdfast`, and mean the sources; everything else that has a name is installed.
    conditions: ['@holdfast/source'],
    external: ['@*', 'commander', 'esbuild', 'fast-check', 'zod', ...installed],
    // Readers of a stack see the sources, which are not shipped otherwise.
    sourcemap: true,
    sourcesContent: true,
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) write(path, path.endsWith('.js') ? text.replace(bareImport, '') : text);
  const known = new Set(Object.keys(metafile.outputs));
  for (const file of filesIn(to))
    if (/\.js(?:\.map)?$/.test(file) && !file.startsWith(join(to, 'pages')) && !known.has(file))
      rmSync(file, { force: true });
  if (pages !== undefined) await makePages(pages, join(to, 'pages'));
  write(join(to, stamp), '');
}

/** What a browser loads. The page itself comes last: all that it names is there by then. @param {string} configFile @param {string} to */
async function makePages(configFile, to) {
  const { build } = await import('vite');
  const made = await build({ configFile, logLevel: 'error', build: { write: false } });
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map();
  const publicFolder = join(dirname(configFile), 'public');
  for (const name of readdirSync(publicFolder)) files.set(name, readFileSync(join(publicFolder, name)));
  if (!('output' in made)) throw new Error('Vite made more than one build.');
  for (const file of made.output) files.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
  const inOrder = [...files].toSorted(
    ([one], [other]) => Number(one === 'index.html') - Number(other === 'index.html'),
  );
  for (const [name, content] of inOrder) write(join(to, name), content);
  for (const file of filesIn(to))
    if (/\.\w+$/.test(file) && !files.has(relative(to, file))) rmSync(file, { force: true });
}

/** Others may be reading: tests do this in several processes. @param {string} path @param {string | Uint8Array} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

process.chdir(resolve(import.meta.dirname, '..'));
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : ['core', 'server', 'studio', 'cli']) {
  const bundle = bundles[name];
  if (bundle === undefined) throw new Error(`No bundle ${name}. There are ${Object.keys(bundles).join(', ')}.`);
  if (!isNew(bundle)) await make(bundle);
}
