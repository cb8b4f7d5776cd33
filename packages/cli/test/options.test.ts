// What the options do that no other test passes. `reference.test.ts` fails if no test passes an option.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, type Done, openBench } from './bench.ts';

/** A graph with turns, and two questions to choose from. */
const tally = `import { counter, graph } from 'holdfast';
import { z } from 'zod';
export const tally = graph('tally', { state: { add: z.number(), n: counter() } })
  .node('count', ({ state }) => ({ n: state.add }))
  .node('report', () => {})
  .edge('start', 'count')
  .edge('count', 'report')
  .edge('report', 'end')
  .compile();
export const survey = graph('survey', { state: {}, asks: { size: z.string(), colour: z.string() } })
  .node('first', async ({ ask }) => void (await ask('size')))
  .node('second', async ({ ask }) => void (await ask('colour')))
  .edge('start', ['first', 'second'])
  .edge(['first', 'second'], 'end')
  .compile();
`;

let bench: Bench;
beforeAll(() => {
  bench = openBench();
  writeFileSync(join(bench.folder, 'tally.ts'), tally);
});
afterAll(() => bench.close());

const withTally = ['-g', 'tally.ts', '-g', 'graphs.ts'];
const run = (...args: readonly string[]): Promise<Done> => bench.run([...args, ...withTally]);
/** The objects that a command printed. */
async function objects(...args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await run(...args, '--jsonl');
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('run and submit', () => {
  test('take the input as JSON, tags and a limit', async () => {
    const input = JSON.stringify({ order: 'ord_1', cents: 5 });
    const more = ['--tag', 'customer=ada', '--tag', 'eu=yes', '--max-supersteps', '1'];
    expect((await run('run', 'refunds', '--input', input, '--id', 'r1', ...more)).code).toBe(1);
    expect(await objects('runs', 'tag:customer=ada', 'tag:eu=yes')).toMatchObject([{ id: 'r1', status: 'failed' }]);
    expect(await objects('show', 'r1')).toMatchObject([{ error: { code: 'HOLDFAST_MAX_SUPERSTEPS' } }]);
    expect((await run('resume', 'r1', '--max-supersteps', '9')).code).toBe(0);
    await run('recover');
    expect(await objects('show', 'r1')).toMatchObject([{ status: 'waiting' }]);
  });

  test('take a deadline', async () => {
    // Whether it passes while the command waits or afterwards depends on the machine.
    expect([1, 3]).toContain((await run('run', 'mailbox', '--id', 'm1', '--timeout', '1ms')).code);
    await run('recover');
    expect(await objects('show', 'm1')).toMatchObject([{ error: { code: 'HOLDFAST_TIMEOUT' } }]);
    const { code, stderr } = await run('submit', 'mailbox', '--timeout', 'soon');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--timeout must be a number') });
  });

  test('continue a run with its next turn', async () => {
    expect((await run('run', 'tally', 'add=1', '--id', 't1', '--turn', 'a')).code).toBe(0);
    expect((await run('run', 'tally', 'add=5', '--id', 't1', '--turn', 'b')).code).toBe(0);
    expect(await objects('state', 't1')).toMatchObject([{ state: { n: 6 } }]);
  });
});

describe('work', () => {
  test('takes a limit and a drain', async () => {
    await run('submit', 'tally', 'add=2', '--id', 't2');
    const { printed, child, done } = bench.start(['work', ...withTally, '--concurrency', '1', '--drain', '1s']);
    await printed(/t2 .*completed/u);
    child.kill('SIGTERM');
    expect((await done).code).toBe(143);
  });
});

describe('asks', () => {
  test('lists the questions with one name', async () => {
    await run('run', 'survey', '--id', 'q1');
    expect(await objects('asks', '--name', 'colour')).toMatchObject([{ runId: 'q1', name: 'colour' }]);
  });
});

describe('fork', () => {
  test('finds the checkpoint before a node, chooses the next one, tags the fork and continues it', async () => {
    await run('run', 'tally', 'add=1', '--id', 't3');
    const forked = await run('fork', 't3', '--before', 'count', '--set', 'add=7', '--id', 'f1', '--resume');
    expect(forked).toMatchObject({ code: 0, stdout: 'f1\n' });
    expect((await run('fork', 't3@2', '--next', 'report', '--tag', 'why=test', '--id', 'f2')).code).toBe(0);
    expect(await objects('runs', 'tag:why=test')).toMatchObject([{ id: 'f2', status: 'suspended' }]);
    await run('recover');
    expect(await objects('state', 'f1')).toMatchObject([{ state: { n: 7 } }]);
  });

  test('refuses a checkpoint beside a node', async () => {
    const { code, stderr } = await run('fork', 't3@2', '--before', 'count');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('not both') });
  });
});

describe('journal and watch', () => {
  test('find records by label, source and place', async () => {
    const store = `sqlite:${join(bench.folder, 'trip.db')}` as const;
    {
      await using engine = await openEngine(store);
      await engine.journal.append('trip', { source: 'input', payload: 'Porto' });
      await engine.journal.append('trip', { source: 'tool', labels: ['search'], payload: 'KLM' });
      await engine.journal.append('trip', { source: 'output', labels: ['search', 'final'], payload: 'booked' });
    }
    const payloads = async (...args: readonly string[]) =>
      (await objects('journal', 'trip', '--store', store, ...args)).map(({ payload }) => payload);
    expect(await payloads('--label', 'search')).toEqual(['KLM', 'booked']);
    expect(await payloads('--label', 'search', '--source', 'tool')).toEqual(['KLM']);
    expect(await payloads('--after', '2')).toEqual(['booked']);
    expect(await payloads('--tail', '2')).toEqual(['KLM', 'booked']);
  });

  test('follow a run from a cursor to its end', async () => {
    const all = await objects('watch', 't1', '--until-end');
    const later = await objects('watch', 't1', '--until-end', '--after', String(all.at(-2)?.['cursor']));
    expect(later).toEqual(all.slice(-1));
  });
});

describe('settle', () => {
  test('takes what an effect failed with', async () => {
    await bench.run(['run', 'charge', '--id', 'c1'], { env: { DIE: 'now' } });
    await run('recover');
    const [shown] = await objects('show', 'c1');
    const [effect] = shown?.['effects'] as readonly { readonly key: string }[];
    expect((await run('settle', 'c1', effect?.key ?? '', '--error', 'the card was stolen')).code).toBe(0);
    await run('recover');
    expect((await run('show', 'c1')).stdout).toContain('the card was stolen');
  });
});

describe('prune and export', () => {
  test('prune only what has an age or a status', async () => {
    const { stdout } = await run('prune', '--keep', '1', '--status', 'failed', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ pruned: 0 });
    const old = await run('prune', '--older-than', '30d', '--json');
    expect(JSON.parse(old.stdout)).toMatchObject({ pruned: 0 });
    const completed = await run('prune', '--keep', '1', '--status', 'completed', '--json');
    expect((JSON.parse(completed.stdout) as { pruned: number }).pruned).toBeGreaterThan(0);
  });

  test('export to a file', async () => {
    const file = join(bench.folder, 't1.jsonl');
    expect((await run('export', 't1', '--output', file)).code).toBe(0);
    expect(existsSync(file)).toBe(true);
  });
});

describe('serve', () => {
  test('answers to the names it was told', async () => {
    const names = ['--allow-host', 'runs.example'];
    const { printed, child, done } = bench.start(['serve', '--port', '0', '--json', ...names, ...withTally]);
    const [, url = ''] = await printed(/"url":\s*"([^"]+)"/u);
    const { port } = new URL(url);
    const { request } = await import('node:http');
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = request({ port, host: '127.0.0.1', path: '/api/v1/health', headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on('error', reject).end();
      });
    expect(await statusFor(`runs.example:${port}`)).not.toBe(421);
    expect(await statusFor(`evil.example:${port}`)).toBe(421);
    child.kill('SIGTERM');
    await done;
  });
});
