import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Makes a file that plain Node runs of a program that imports sources of core, as from the folder `src`; gives its path.
 * It stands in this repository, so that it finds the packages that are installed here.
 */
export async function bundleProgram(name: string, code: string): Promise<string> {
  const outfile = fileURLToPath(new URL(`dist/${name}.mjs`, import.meta.url));
  const resolveDir = fileURLToPath(new URL('../../src', import.meta.url));
  await build({
    stdin: { contents: code, loader: 'ts', resolveDir },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
  });
  return outfile;
}
