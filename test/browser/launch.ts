// A real browser for tests of pages. One per process; each test has a context of its own, with no cookie of another's.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findChromium } from './chromium.ts';

let launched: Promise<Browser> | undefined;

/** The browser of this process. It ends with the process. */
function browser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    executablePath,
    // Tests run as root in containers, where the sandbox cannot start. Only our own pages are opened.
    args: ['--no-sandbox', '--font-render-hinting=none'],
    env: { ...(process.env as Record<string, string>), ...env },
  });
}

/** The widths that every page is looked at in. */
export const widths = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** A page in a new context, until the test has finished. An error that no page of ours should have fails the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await browser()).newContext({ viewport: widths.wide, reducedMotion: 'reduce', ...options });
  // It ends what hangs, and nothing else: a machine may be busy.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  onTestFinished(async () => {
    await context.close();
    if (errors.length > 0) throw new AggregateError(errors, `The page threw: ${errors.map(String).join('; ')}`);
  });
  return page;
}
