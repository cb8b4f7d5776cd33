// What `npm start` ends with on a terminal: the studio, and a worker to kill while its page is open.
import { expect, test } from 'vitest';
import { openBench } from '../../packages/cli/test/bench.ts';
import { onTerminal, pty } from '../../packages/cli/test/terminal.ts';
import { openPage } from './launch.ts';

const isAll = process.env['HOLDFAST_BROWSER'] === 'all';
const reason = typeof pty === 'string' ? ` (${pty})` : isAll ? '' : ' (in npm run test:browser)';

test.runIf(isAll && typeof pty !== 'string')(
  `the worker of the demo is killed while its page is open, and the page shows what became of the run${reason}`,
  async () => {
    const bench = openBench();
    const { printed, terminal, ended } = onTerminal(bench, ['demo']);
    try {
      const [, address = ''] = await printed(/Open {2}(\S+\/runs\/ord_82\/takeover\S+)/u);
      await printed(/The studio, until you press Ctrl-C:\s+http:\S+/u);
      const page = await openPage();
      await page.goto(address);
      await page.getByText('The worker is alive. No takeover has been needed.').waitFor();
      const row = (call: string) => page.locator('.tw2 tr', { hasText: call }).locator('td').allTextContents();
      expect(await row('in flight')).toEqual([expect.anything(), 'executing', 'not yet']);
      terminal.write('\r');
      await page.getByText('Nothing that had finished ran twice.').waitFor();
      await expect.poll(() => page.locator('.runhead .pill').textContent()).toBe('waiting');
      expect(await row('model: plan')).toEqual([expect.stringContaining('model: plan'), 'executed', 'kept']);
      expect(await row('read the order')).toEqual([expect.anything(), 'executed', 'replayed']);
      expect(await row('check for fraud')).toEqual([expect.anything(), 'killed', 'executed']);
    } finally {
      terminal.write('\u0003');
      await ended;
      bench.close();
    }
  },
);
