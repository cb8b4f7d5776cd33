import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Finding } from './finding.ts';
import type { HarnessName } from './harnesses.ts';

/** A way to break the product at a seam, that the fuzz has to find. */
export interface Mutant {
  readonly name: string;
  readonly harness: HarnessName;
  /** How it shows. Anything else would be a defect of the fuzz. */
  readonly shows: readonly Finding['kind'][];
  /** The module that is broken, from the root of the repository. */
  readonly module: string;
  /** Its new text, made of its own; `original` is the name to import the original by. */
  readonly rewrite: (text: string, original: string) => string;
}

/** Replaces an export of a module; the others stay. */
function exporting(name: string, by: string): Mutant['rewrite'] {
  return (_, original) => `export * from ${JSON.stringify(original)};\nexport const ${name} = ${by};\n`;
}

/** The module's sets forget what is put into them. */
function withForgetfulSets(text: string): string {
  return `class Set extends globalThis.Set { has() { return false; } }\n${text}`;
}

/** A walk without end takes time or memory, whichever is used up first. */
const endless = ['hang', 'crash'] as const;

/** What the fuzz has to catch. */
export const mutants: readonly Mutant[] = [
  {
    name: 'payloads are not validated by kind',
    harness: 'record',
    shows: ['untyped'],
    module: 'packages/core/src/record/payload-shape.ts',
    rewrite: exporting('fitsKind', '() => true'),
  },
  {
    name: 'delete keeps no visited set',
    harness: 'record',
    shows: endless,
    module: 'packages/core/src/engine/command/delete-graph-run.ts',
    rewrite: withForgetfulSets,
  },
  {
    name: 'export keeps no visited set',
    harness: 'record',
    shows: endless,
    module: 'packages/core/src/engine/transfer/export-run.ts',
    rewrite: withForgetfulSets,
  },
  {
    name: 'headers are not held to their shape',
    harness: 'row',
    shows: ['untyped', 'unusable', ...endless],
    module: 'packages/core/src/store/stored-header.ts',
    rewrite: exporting('isRunHeader', '() => true'),
  },
  {
    name: 'what is stored as JSON is read whatever it is',
    harness: 'row',
    shows: ['untyped', 'unusable', ...endless],
    module: 'packages/core/src/store/stored-json.ts',
    rewrite: exporting('storedJson', '(text) => JSON.parse(text)'),
  },
  {
    name: 'a corrupt run ends every list',
    harness: 'row',
    shows: ['unusable'],
    module: 'packages/core/src/engine/query/list-runs.ts',
    rewrite: (text) => text.replaceAll(", { onCorrupt: 'warn' }", ''),
  },
  {
    name: 'secrets are decrypted unseen',
    harness: 'encrypted',
    shows: ['untyped'],
    module: 'packages/core/src/value/secret/secret.ts',
    rewrite: exporting('isSecret', '() => true'),
  },
  {
    name: 'the terminal gets texts as they are',
    harness: 'terminal',
    shows: ['raw'],
    module: 'packages/cli/src/output/printable.ts',
    rewrite: exporting('printable', '(text) => text'),
  },
  {
    name: 'nobody can end a command',
    harness: 'long',
    shows: endless,
    module: 'packages/cli/src/live/interrupt.ts',
    rewrite: exporting(
      'handleSignals',
      '() => ({ signal: new AbortController().signal, exitCode: () => undefined, [Symbol.dispose]() {} })',
    ),
  },
];

/** Makes a lane with one mutant in it, beside the lane, where its packages are found; gives its path. */
export async function bundleMutant({ name, module, rewrite }: Mutant, lane: string): Promise<string> {
  const root = resolve('.');
  const outfile = join(root, dirname(lane), 'dist', `${name.replaceAll(' ', '-')}.mjs`);
  const broken = join(root, module);
  const suffix = '?original';
  const plugin: Plugin = {
    name: 'mutant',
    setup: (made) => {
      made.onResolve({ filter: /\?original$/ }, ({ path }) => ({ path: path.slice(0, -suffix.length), suffix }));
      made.onLoad({ filter: /\.ts$/ }, async ({ path, suffix: found }) => {
        if (path !== broken || found === suffix) return undefined;
        return { contents: rewrite(await readFile(path, 'utf8'), `${path}${suffix}`), loader: 'ts' };
      });
    },
  };
  await build({
    entryPoints: [lane],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@holdfast/source'],
    external: ['@*', 'commander', 'esbuild', 'fast-check', 'zod'],
    plugins: [plugin],
  });
  return outfile;
}
