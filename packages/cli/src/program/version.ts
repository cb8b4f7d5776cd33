import { readFileSync } from 'node:fs';

/** The version of this package. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String((manifest as { readonly version: unknown }).version);
}
