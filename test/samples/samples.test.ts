// Runs the samples of test/types/samples.ts, as they stand there, and asserts what each promises.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent, Engine, Run } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openSample, refunded, removeSamples } from './fakes.ts';

/** What the samples name, besides what they export. */
const names = ['engine', 'run', 'issue', 'signup', 'past', 'clerk'] as const;
interface Named {
  readonly engine: Engine;
  readonly run: Run;
  readonly issue: Run;
  readonly signup: Run;
  readonly past: unknown;
  readonly clerk: Agent<{ readonly handled: number }>;
}

/** The samples with their declared services given, on a store of the test's own. */
function runnable(): string {
  const text = readFileSync(new URL('../types/samples.ts', import.meta.url), 'utf8');
  const [samples = ''] = text.split('// What must not compile');
  const given = samples
    .replace(/^declare const llm[\s\S]*?^\) => .*;$/m, '')
    .replaceAll(/^declare const .*;$/gm, '')
    .replaceAll(/openEngine\('sqlite:[^']*'(, )?/g, 'openSample(')
    // For sample 7: it sleeps for three.
    .replace('const { id: userId }', 'passDays(4);\n$&')
    // For sample 8: a question that nobody has answered.
    .replace('// 8.', "await (await engine.start(refunds, { order: 'o2', cents: 5 }, { id: 'o2' })).outcome();\n// 8.");
  return `import { llm, openSample, passDays, stripe, tools } from '../fakes.ts';\n${given}\nexport { ${names.join(', ')} };\n`;
}

describe('the samples', () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'run-'));
  const printed: unknown[][] = [];
  let streamed = '';
  let named: Named;

  beforeAll(async () => {
    const file = join(folder, 'samples.ts');
    writeFileSync(file, runnable());
    const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => void printed.push(values));
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      streamed += String(text);
      return true;
    });
    try {
      named = (await import(pathToFileURL(file).href)) as Named;
    } finally {
      log.mockRestore();
      write.mockRestore();
    }
  });
  afterAll(async () => {
    await named?.engine.close();
    removeSamples();
    rmSync(folder, { recursive: true });
  });

  test('1. a person approves, and the effect happens once', async () => {
    expect(printed[0]).toEqual(['Refund €120?']);
    const state = await named.run.result();
    expect(state).toMatchObject({ approved: true, log: ['checked ord_81', expect.stringMatching(/^refunded re_/)] });
    expect(refunded.filter(({ order }) => order === 'ord_81')).toEqual([
      { order: 'ord_81', cents: 12_000, key: expect.any(String) },
    ]);
  });

  test('2. a chat is one run, its messages are turns, and what the model says is streamed once', async () => {
    expect(streamed).toBe('Hello you\nSalve\n');
    const state = await (await named.engine.get('chat-7')).state();
    expect((state['messages'] as readonly { readonly content: string }[]).map(({ content }) => content)).toEqual([
      'Hello',
      '',
      'noon',
      expect.stringMatching(/^broken failed: .*out of order/),
      'Hello you',
      'And in Latin?',
      'Salve',
    ]);
  });

  test('3. nodes in parallel, a join, a graph in a graph whose question is asked outside, a graph an item', async () => {
    expect(printed).toContainEqual(['a\nb\nc']);
    expect(await named.issue.result()).toMatchObject({ text: 'a\nb\nc', extra: ['a\nb\nc'] });
    expect(refunded.filter(({ order }) => order === 'o')).toHaveLength(1);
  });

  test('4. a fork with an edit, answered otherwise, leaves its origin alone; a diff tells what changed', async () => {
    const changes = printed.flat().find((value) => Array.isArray(value) && value.length > 0);
    expect(changes).toContainEqual(expect.objectContaining({ path: '/approved', after: true }));
    const forks: string[] = [];
    for await (const { id, tags } of named.engine.runs({ forkOf: 'ord_81' })) if (tags['why']) forks.push(id);
    expect(forks).toHaveLength(1);
    const whatIf = await (await named.engine.get(forks[0] ?? '')).outcome();
    expect(whatIf).toMatchObject({ status: 'completed', state: { cents: 5_000, approved: false } });
    expect(await named.run.result()).toMatchObject({ cents: 12_000, approved: true });
  });

  test('5. every node is told, in order, from the beginning of the run', () => {
    const nodes = printed.filter(([node]) => ['check', 'approve', 'refund'].includes(node as string));
    expect(nodes.map(([node]) => node)).toEqual(['check', 'approve', 'refund']);
  });

  test('6. what the next version would strand is told: nothing, since no run of the graph is unfinished', () => {
    expect(printed).toContainEqual([[]]);
  });

  test('7. a plain function sleeps for days and takes the message that was sent before', async () => {
    expect(printed).toContainEqual([15]);
    expect(await named.signup.result()).toEqual({ id: 15, verifiedAt: 5 });
  });

  test('8. a process without the code answers from the inbox, and one that has it continues', async () => {
    expect(await named.engine.recover()).toBe(1);
    expect(await named.engine.get('o2').result()).toMatchObject({ approved: true });
    const waits: string[] = [];
    for await (const { runId } of named.engine.asks({ graph: 'refunds' })) waits.push(runId);
    expect(waits).toEqual([]);
  });

  test('9. a journal run keeps its journal and checkpoints; an agent is shut down and comes back', async () => {
    expect(named.past).toBeDefined();
    expect(named.clerk.phase).toBe('terminated');
    const { openAgent } = await import('holdfast');
    const again = await openAgent(named.engine, { id: 'clerk', initial: { handled: 0 } });
    expect(again).toMatchObject({ phase: 'ready', appState: { handled: 1 } });
    expect(again.recovered?.metadata.reason).toBe('deploy');
    await using other = await openSample({ executes: false });
    expect((await other.verify()).ok).toBe(true);
  });
});
