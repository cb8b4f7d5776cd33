import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

/** The files that `npm publish` would send, relative to the package. */
export function packedFiles(folder: string): readonly string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [pack] = JSON.parse(output) as [{ readonly files: readonly { readonly path: string }[] }];
  return pack.files.map(({ path }) => path).toSorted();
}

/** The files that users need: what every package has, and what its exports and programs lead to. */
export function neededFiles(folder: string): readonly string[] {
  const { bin = {}, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : [entry.types, entry.default],
  );
  const needed = new Set(['LICENSE', 'README.md', 'package.json']);
  const waiting = [...Object.values(bin), ...entries].map((path) => normalize(path));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (needed.has(file)) continue;
    needed.add(file);
    if (existsSync(join(folder, `${file}.map`))) needed.add(`${file}.map`);
    waiting.push(...importedBy(folder, file));
  }
  const pages = 'dist/pages/index.html';
  if (existsSync(join(folder, pages))) for (const file of filesOfPages(folder, pages)) needed.add(file);
  return [...needed].toSorted();
}

/** The files of pages that a browser can come to from the first one: a bundler writes their names in many ways. */
function filesOfPages(folder: string, first: string): ReadonlySet<string> {
  const unnamed = new Set(
    readdirSync(join(folder, dirname(first)), { recursive: true, encoding: 'utf8' })
      .map((file) => join(dirname(first), file))
      .filter((file) => statSync(join(folder, file)).isFile()),
  );
  const reached = new Set<string>();
  const waiting = [first];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    reached.add(file);
    unnamed.delete(file);
    const text = readFileSync(join(folder, file), 'utf8');
    const named = [...unnamed].filter((other) => text.includes(basename(other)));
    for (const other of named) unnamed.delete(other);
    waiting.push(...named);
  }
  return reached;
}

/** The files of the package that a file imports, in any way. */
function importedBy(folder: string, file: string): readonly string[] {
  // Examples in comments import what only the reader has.
  const code = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  const paths = [...code.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*['"](\.[^'"\n]+)['"]/g)].map(
    ([, path = '']) => path,
  );
  const ending = file.endsWith('.d.ts') ? '.d.ts' : '.js';
  return paths.map((path) => join(dirname(file), path.replace(/\.[jt]s$/, ending)));
}
