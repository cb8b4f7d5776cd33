// Programs for plain Node that import the sources of the server.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Makes a file of a program that imports sources of the server, as from its folder `src`; gives its path. */
export async function bundleServerProgram(name: string, code: string): Promise<string> {
  const outfile = fileURLToPath(new URL(`dist/${name}.mjs`, import.meta.url));
  const resolveDir = fileURLToPath(new URL('../src', import.meta.url));
  await build({
    stdin: { contents: code, loader: 'ts', resolveDir },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@holdfast/source'],
    external: ['@photostructure/sqlite', 'hono', 'pg', 'zod'],
  });
  return outfile;
}
