// Pictures are the same on every machine: two free fonts stand in for those of a Mac or of Windows.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const fonts = [
  ['Inter', '--sans', require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')],
  [
    'JetBrains Mono',
    '--mono',
    require.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
  ],
] as const;

/** Sets a page in the fonts of the pictures. */
export async function setInFonts(page: Page): Promise<void> {
  for (const [family, variable, file] of fonts) {
    const font = readFileSync(file).toString('base64');
    await page.evaluate(
      async (given) => {
        const bytes = Uint8Array.from(atob(given.font), (character) => character.charCodeAt(0));
        document.fonts.add(await new FontFace(given.family, bytes, { weight: '100 900' }).load());
        const root = document.documentElement;
        const before = getComputedStyle(root).getPropertyValue(given.variable);
        root.style.setProperty(given.variable, `"${given.family}", ${before}`);
      },
      { family, variable, font },
    );
  }
}
