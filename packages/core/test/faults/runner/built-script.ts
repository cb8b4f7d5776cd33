import { fileURLToPath } from 'node:url';

/**
 * The path of a compiled script of this folder: processes start it with plain Node, whether their parent runs on the
 * sources (tests) or is compiled itself.
 */
export function builtScript(name: string): string {
  const root = import.meta.url.endsWith('.ts') ? '../dist/test/faults/' : '../';
  return fileURLToPath(new URL(`${root}${name}.js`, import.meta.url));
}
