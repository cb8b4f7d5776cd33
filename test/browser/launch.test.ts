// The harness of browser tests: a real Chromium, with nothing but `npm ci`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPage, widths } from './launch.ts';

async function serving(html: string): Promise<string> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('runs the scripts of a page, and clicks', async () => {
  const page = await openPage({ viewport: widths.narrow, colorScheme: 'dark' });
  await page.goto(await serving('<button onclick="this.textContent = String(innerWidth)">press</button>'));
  await page.click('button');
  expect(await page.textContent('button')).toBe('390');
  expect(await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)).toBe(true);
});

test('contexts share no cookies', async () => {
  const url = await serving('<p>page</p>');
  const [first, second] = [await openPage(), await openPage()];
  await first.goto(url);
  await first.evaluate(`document.cookie = 'token=secret'`);
  await second.goto(url);
  expect([await first.evaluate('document.cookie'), await second.evaluate('document.cookie')]).toEqual([
    'token=secret',
    '',
  ]);
});
