import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/**
 * The pages. They are served from any path, by a handler that sets the base (`src/index.ts`), so that every address in
 * them is relative. Names carry a hash and can be cached for ever.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: 'public',
  resolve: { conditions: ['@holdfast/source', 'module', 'browser'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/pages'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: 'manifest.json',
  },
});
