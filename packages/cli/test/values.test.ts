// Values on the command line are read as their schema says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, type Done, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

const run = (...args: readonly string[]): Promise<Done> => bench.run([...args, '-g', 'greeting.ts']);
const stateOf = async (id: string): Promise<unknown> =>
  (JSON.parse((await bench.run(['state', id, '--json'])).stdout) as { readonly state: unknown }).state;

describe('text that looks like JSON', () => {
  test('is text for a channel of text: run, submit and fork --set', async () => {
    expect((await bench.run(['submit', 'refunds', 'order=81', 'cents=5', '--id', 'ord'])).code).toBe(0);
    expect(await stateOf('ord')).toMatchObject({ order: '81', cents: 5 });
    expect((await bench.run(['fork', 'ord', '--set', 'order=82', '--set', 'cents=6', '--id', 'what-if'])).code).toBe(0);
    expect(await stateOf('what-if')).toMatchObject({ order: '82', cents: 6 });
    const given = ['name=5', 'maybe=null', 'words=7', 'any=[1]'];
    expect((await run('run', 'tags', ...given, '--id', 'tags')).code).toBe(0);
    expect(await stateOf('tags')).toEqual({ name: '5', maybe: null, words: ['7'], any: [1] });
    expect((await run('run', 'tags', 'name=true', 'maybe=8', 'words=["a","b"]', '--id', 'more')).code).toBe(0);
    expect(await stateOf('more')).toEqual({ name: 'true', maybe: '8', words: ['a', 'b'] });
  });

  test("is text for a workflow's input", async () => {
    await run('run', 'greeting', 'name=5', '--id', 'five');
    expect((await bench.run(['show', 'five'])).stdout).toContain("'Greet 5?'");
  });
});

describe('repeating an answer', () => {
  test('is fine with and without the name of the question, before and after a worker has it', async () => {
    await run('run', 'greeting', 'name=ada', '--id', 'twice');
    const calls = [
      ['ok=true', 'note=12'],
      ['ok', 'ok=true', 'note=12'],
    ];
    for (const call of calls) expect(await run('answer', 'twice', ...call)).toMatchObject({ code: 0 });
    await run('recover');
    for (const call of calls) expect(await run('answer', 'twice', ...call)).toMatchObject({ code: 0 });
    // Without the code, the schema is in the journal.
    for (const call of calls) {
      const env = { HOLDFAST_GRAPHS: '' };
      expect(await bench.run(['answer', 'twice', ...call], { env })).toMatchObject({ code: 0 });
    }
    const other = await run('answer', 'twice', 'ok=false');
    expect(other).toMatchObject({ code: 5, stderr: expect.stringContaining('already has a different answer') });
  });
});

describe('an answer without fields', () => {
  test('is named after its question, with and without saying which', async () => {
    await run('run', 'bare', '--id', 'bare');
    const wrong = await run('answer', 'bare', 'ok=true');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Write approval=VALUE.') });
    expect((await run('show', 'bare')).stdout).toContain("answer bare 'approval=true|false'");
    expect(await run('answer', 'bare', 'approval=true')).toMatchObject({ code: 0 });
    await run('recover');
    expect((await run('show', 'bare')).stdout).toContain("answer bare 'size=S|L'");
    // Pasted again, it is still an answer to the question that it names.
    expect(await run('answer', 'bare', 'approval=true')).toMatchObject({ code: 0 });
    expect(await run('answer', 'bare', 'approval=false')).toMatchObject({ code: 5 });
    expect((await run('show', 'bare')).stdout).toContain("answer bare 'size=S|L'");
    expect(await run('answer', 'bare', 'size', 'size=L')).toMatchObject({ code: 0 });
    await run('recover');
    expect(await run('answer', 'bare', 'approval=true')).toMatchObject({ code: 0 });
    expect((await run('show', 'bare')).stdout).toContain("{ approval: true, size: 'L' }");
  });
});

describe('invalid values', () => {
  test('are reported all at once, each with its path', async () => {
    const { code, stderr } = await bench.run(['submit', 'refunds', 'cents=x', '--id', 'bad']);
    expect(code).toBe(2);
    expect(stderr).toContain('"order"');
    expect(stderr).toContain('"cents"');
    await run('run', 'greeting', 'name=ada', '--id', 'asks');
    const answer = await run('answer', 'asks', '--value', '{"ok":1,"note":2}');
    expect(answer.code).toBe(2);
    expect(answer.stderr).toMatch(/\bok\b.*\bnote\b/u);
  });
});
