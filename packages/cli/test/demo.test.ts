// The first five minutes: what `npm start` runs, without a terminal.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

describe('demo', () => {
  test('kills a worker, shows that no finished step ran twice, and leaves a run that the printed commands finish', async () => {
    const { code, stdout, stderr } = await bench.run(['demo']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/kill -9 \d+, in the middle of "tool: check for fraud" in ord_81/u);
    expect(stdout).toMatch(/^ord_81 +model: plan +executed +kept$/mu);
    expect(stdout).toMatch(/^ord_81 +tool: read the order +executed +replayed$/mu);
    expect(stdout).toMatch(/^ord_81 +tool: check for fraud +killed +executed$/mu);
    expect(stdout).toMatch(/^ord_81 +model: decide +executed$/mu);
    expect(stdout).toContain('\n\nNo finished step ran twice.\n\n');
    expect(stdout).not.toContain('\\n');
    expect(stdout).toMatch(/^ord_80 +support +completed/mu);
    expect(stdout).toMatch(/^ord_81 +support +waiting/mu);
    const [, answer = ''] = /^ {2}holdfast (answer .*)$/mu.exec(stdout) ?? [];
    const answered = await bench.run(answer.split(' '));
    expect(answered).toMatchObject({ code: 0, stdout: 'answered approval of ord_81: ok=true\n' });
    const continued = await bench.run(['demo', '--continue', '--jsonl']);
    expect(continued).toMatchObject({ code: 0, stdout: expect.stringContaining('"id":"ord_81"') });
    expect(continued.stdout).not.toContain('waiting');
  });
});
