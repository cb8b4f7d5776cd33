// @ts-check
// Makes the JavaScript of core and the command line without looking at a type: what `npm start` and the tests of the
// binary need, in a second.
// Where the build has made it already nothing happens; `npm run build` does the whole of it.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';

/** `./x.ts` is `./x.js` once it is built. */
const relativeImport = /(?<=\b(?:from|import)\s*\(?\s*)"(\.{1,2}\/[^"\n]+)\.ts"/g;

/** @param {string} from @param {string} to */
async function transpile(from, to) {
  if ((statSync(to, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= statSync(from).mtimeMs) return;
  const { code } = await transform(readFileSync(from, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcefile: from,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  mkdirSync(dirname(to), { recursive: true });
  // Others may be reading: tests do this in several processes.
  const draft = `${to}.${process.pid}`;
  writeFileSync(draft, code.replace(relativeImport, '"$1.js"'));
  renameSync(draft, to);
}

const files = ['core', 'cli'].flatMap((name) => {
  const names = readdirSync(join('packages', name, 'src'), { recursive: true, encoding: 'utf8' });
  return names.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => ({ name, file }));
});
await Promise.all(
  files.map(({ name, file }) =>
    transpile(join('packages', name, 'src', file), join('packages', name, 'dist', file.replace(/ts$/, 'js'))),
  ),
);
