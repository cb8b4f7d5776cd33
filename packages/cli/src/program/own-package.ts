import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Resolved by package name, so it works wherever the bundler puts this code. */
const manifestFile = createRequire(import.meta.url).resolve('@holdfast/cli/package.json');

/** The binary that users call. */
export const bin: string = join(dirname(manifestFile), 'bin/holdfast.js');

/** The version of this package. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(manifestFile, 'utf8'));
  return String((manifest as { readonly version: unknown }).version);
}
