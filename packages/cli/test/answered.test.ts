// What people see of a run after it was answered, and after it ended; journal runs with a name.
import { join } from 'node:path';
import { openEngine } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, type Done, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

const run = (...args: readonly string[]): Promise<Done> => bench.run([...args, '-g', 'greeting.ts']);
/** Without the code, as somebody who has only the store. */
const look = (...args: readonly string[]): Promise<Done> => bench.run(args);
const json = async (...args: readonly string[]): Promise<unknown> => JSON.parse((await look(...args, '--json')).stdout);

/** `watch` ends when no worker has taken the run for a while. */
const noWorker = 'answered, no worker has this graph';

describe('an answered run that no worker has', () => {
  test('says so in watch, answer --wait, runs and show, and none of them waits for ever', async () => {
    await run('run', 'greeting', 'name=ada', '--id', 'left');
    const answered = await run('answer', 'left', 'ok=true', '--wait');
    expect(answered).toMatchObject({ code: 3, stderr: expect.stringContaining(`left: ${noWorker}`) });
    expect(answered.stderr).toContain('holdfast work -g greeting.ts\n');
    const watched = await look('watch', 'left');
    expect(watched).toMatchObject({ code: 3, stderr: expect.stringContaining(`left: ${noWorker}`) });
    const [runs, shown] = [await look('runs'), await look('show', 'left')];
    expect(runs.stdout).toMatch(/^left .* ok: answered, no worker has this graph$/mu);
    expect(shown.stdout).toMatch(/^waiting for +ok: answered, no worker has this graph$/mu);
    expect(shown.stdout).not.toContain('Question');
  });

  test('the question is open again if a worker refuses the answer', async () => {
    await run('run', 'greeting', 'name=ada', '--id', 'refused');
    // Without the code, nothing validates it here.
    const env = { HOLDFAST_GRAPHS: '' };
    expect((await bench.run(['answer', 'refused', 'ok', '--value', '7'], { env })).code).toBe(0);
    expect((await look('show', 'refused')).stdout).not.toContain('Question');
    await run('recover');
    expect((await look('show', 'refused')).stdout).toContain("Question ok of main: 'Greet ada?'");
  });

  test('a submitted run that no worker has says so too', async () => {
    await run('submit', 'greeting', 'name=ada', '--id', 'pending');
    expect(await look('watch', 'pending')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('pending: submitted, no worker has this graph'),
    });
    expect((await look('runs', 'pending')).stdout).toContain('submitted, no worker has this graph');
  });

  test('watch of its parent says so too', async () => {
    await run('run', 'parent', 'name=ada', '--id', 'mother');
    await run('answer', 'mother', 'ok=true');
    const { code, stderr } = await look('watch', 'mother');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^\w+, a child of mother: answered, no worker has this graph/mu);
  });

  test('recover leaves it alone if its graph is not in the files', async () => {
    const { code, stdout } = await look('recover', '-g', 'graphs.ts');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pending .* submitted, no worker has this graph$/mu);
  });
});

describe("a workflow's output", () => {
  test('is in show, state and --json after the run', async () => {
    await run('run', 'greeting', 'name=5', '--id', 'done');
    await run('answer', 'done', 'ok=true', 'note=12');
    await run('recover');
    const output = { text: 'hello 5', note: '12' };
    expect((await look('show', 'done')).stdout).toMatch(/^output {2}\{ text: 'hello 5', note: '12' \}$/mu);
    expect((await look('state', 'done')).stdout).toBe("output  { text: 'hello 5', note: '12' }\n");
    expect(await json('show', 'done')).toMatchObject({ status: 'completed', output });
    expect(await json('state', 'done')).toMatchObject({ state: {}, output });
    // An earlier checkpoint has no output.
    expect(await json('state', 'done@1')).not.toHaveProperty('output');
  });
});

describe('a journal run with a name', () => {
  test('has a state and diffs', async () => {
    const store = `sqlite:${join(bench.folder, 'journal.db')}` as const;
    {
      await using engine = await openEngine(store);
      await engine.checkpoints.save('loop', { graph: 'my-agent', state: { turn: 1, log: ['a'] } });
      await engine.checkpoints.save('loop', { state: { turn: 2, log: ['a', 'b'] } });
      await engine.checkpoints.save('loop', { state: { turn: 3, log: ['a', 'b'] } });
    }
    const at = ['--store', store];
    expect((await look('state', 'loop', ...at)).stdout).toBe("turn  3\nlog   [ 'a', 'b' ]\n");
    expect((await look('state', 'loop@1', ...at)).stdout).toBe("turn  1\nlog   [ 'a' ]\n");
    expect((await look('show', 'loop', ...at)).stdout).toMatch(/^graph +my-agent \(journal run\)$/mu);
    expect((await look('diff', 'loop@1', '@2', ...at)).stdout).toBe("~ /turn   1 → 2\n+ /log/1  'b'\n");
    expect((await look('diff', 'loop@2', 'loop', ...at)).stdout).toBe('~ /turn  2 → 3\n');
    expect((await look('log', 'loop', ...at)).code).toBe(0);
  });
});
