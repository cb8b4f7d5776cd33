// The real binary in a user's project, as a program calls it: no terminal.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bench, type Done, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

const run = (...args: readonly string[]): Promise<Done> => bench.run(args);

/** Every object on stdout. Each must have a schema. */
function objects({ stdout }: Done): readonly Record<string, unknown>[] {
  const lines = stdout.trimEnd().split('\n');
  const parsed = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const { schema } of parsed) expect(schema).toMatch(/^holdfast\.[a-z-]+\/1$/u);
  return parsed;
}

describe('without a store', () => {
  test('reading creates nothing and says what to do', async () => {
    const { code, stdout, stderr } = await run('runs');
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(
      /^holdfast: No store at .*holdfast\.db yet\. Start a run, or choose another store with --store\.\n$/u,
    );
    expect(existsSync(join(bench.folder, '.holdfast'))).toBe(false);
  });

  test('an unknown command is a usage error that suggests the nearest one', async () => {
    const { code, stderr } = await run('rums');
    expect(code).toBe(2);
    expect(stderr).toBe("holdfast: unknown command 'rums'\n(Did you mean runs?)\n");
  });
});

describe('a run that waits for a person', () => {
  test('run executes it here, prints its events to stderr and its state to stdout, and exits with 3', async () => {
    const { code, stdout, stderr } = await run('run', 'refunds', 'order=ord_81', 'cents=12000', '--id', 'ord_81');
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('holdfast answer ord_81 approval') });
    expect(stdout).toMatch(/^order +'ord_81'\ncents +12000\n/u);
    expect(statSync(join(bench.folder, '.holdfast')).mode & 0o777).toBe(0o700);
  });

  test('the same id with a different input is a conflict', async () => {
    const { code, stderr } = await run('run', 'refunds', 'order=other', 'cents=1', '--id', 'ord_81');
    expect(code).toBe(5);
    expect(stderr).toContain('HOLDFAST_INPUT_MISMATCH');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('runs, show and asks list it, with machine-readable times', async () => {
    const [runs, json, show, asks] = await Promise.all([
      run('runs', 'status:waiting', 'graph:refunds'),
      run('runs', '--json'),
      run('show', 'ord'),
      run('asks', '--jsonl'),
    ]);
    expect(runs.stdout).toMatch(
      /^RUN +GRAPH +STATUS +SUPERSTEP +UPDATED +WAITING FOR\nord_81 +refunds +waiting +1 +20\d\d-[\d-]+T[\d:.]+Z +approval\n$/u,
    );
    expect(objects(json)).toMatchObject([{ schema: 'holdfast.runs/1', runs: [{ id: 'ord_81', status: 'waiting' }] }]);
    expect(show.stdout).toContain("Question approval of approve: { text: 'Refund 12000?' }");
    expect(show.stdout).toContain("holdfast answer ord_81 approval 'ok=true|false' note=TEXT");
    expect(objects(asks)).toMatchObject([{ schema: 'holdfast.ask/1', runId: 'ord_81', name: 'approval' }]);
  });

  test('answer without values and without a terminal says how to write it', async () => {
    const { code, stdout, stderr } = await run('answer', '@last');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe("holdfast: Pass the answer: holdfast answer ord_81 approval 'ok=true|false' note=TEXT\n");
  });

  test('an invalid answer is refused at once if the code is available', async () => {
    const { code, stderr } = await run('answer', 'ord_81', 'approval', 'ok=perhaps');
    expect(code).toBe(2);
    expect(stderr).toContain('HOLDFAST_INVALID_VALUE');
  });

  test('answer works with only the store; repeating it is fine, a different answer is a conflict', async () => {
    const env = { HOLDFAST_STORE: `sqlite:${join(bench.folder, '.holdfast/holdfast.db')}`, HOLDFAST_GRAPHS: '' };
    const given = await bench.run(
      ['answer', 'ord_81', 'ok=true', 'note=12', '--by', 'ada', '--json', '-g', 'graphs.ts'],
      { env },
    );
    // The schema says that note is text.
    expect(objects(given)).toMatchObject([{ schema: 'holdfast.done/1', answer: { ok: true, note: '12' } }]);
    const recovered = await run('recover', '--jsonl');
    expect(objects(recovered)).toMatchObject([{ id: 'ord_81', status: 'completed' }]);
    const [again, other] = await Promise.all([
      run('answer', 'ord_81', 'approval', '--value', '{"ok":true,"note":"12"}'),
      run('answer', 'ord_81', 'approval', 'ok=false'),
    ]);
    expect(again.code).toBe(0);
    expect(other.code).toBe(5);
    expect(other.stderr).toContain('already has a different answer (from ada)');
  });
});

describe('looking back', () => {
  test('state, diff, journal and log', async () => {
    const [state, past, diff, same, journal, log] = await Promise.all([
      run('state', 'ord_81', '--json'),
      run('state', 'ord_81@2'),
      run('diff', 'ord_81@2', '@5'),
      run('diff', 'ord_81', 'ord_81'),
      run('journal', 'ord_81', '--kind', 'answer', '--jsonl'),
      run('log', 'ord_81'),
    ]);
    expect(objects(state)).toMatchObject([
      { state: { approved: true, log: ['checked ord_81', '12', 'receipt of ord_81'] } },
    ]);
    expect(past.stdout).toBe("log    [ 'checked ord_81' ]\norder  'ord_81'\ncents  12000\n");
    expect(diff.stdout).toBe("+ /log/1     '12'\n+ /approved  true\n");
    expect(same).toMatchObject({ code: 0, stdout: '' });
    expect(objects(journal)).toMatchObject([
      { kind: 'answer', payload: { value: { ok: true, note: '12' }, by: 'ada' } },
    ]);
    expect(log.stdout.split('\n').map((line) => line.slice(0, 24).trimEnd())).toEqual([
      '* @9  end      completed',
      '* @8  refund   changed l',
      '* @5  approve  changed a',
      '* @4  approve  answered',
      '* @2  check    changed l',
      '* @1  start    changed l',
      '',
    ]);
  });

  test('fork creates a suspended run; log --graph draws it next to its base', async () => {
    const forked = await run('fork', 'ord_81@2', '--set', 'cents=5', '--id', 'cheap', '--label', 'what-if');
    expect(forked).toMatchObject({
      code: 0,
      stdout: 'cheap\n',
      stderr: expect.stringContaining('cheap is suspended. Continue it with: holdfast resume cheap'),
    });
    const [shown, listed] = await Promise.all([run('show', 'cheap'), run('runs', 'status:suspended', '--jsonl')]);
    expect(shown.stdout).toMatch(/^status +suspended$/mu);
    expect(shown.stdout).toContain('holdfast resume cheap');
    expect(objects(listed)).toMatchObject([{ id: 'cheap', status: 'suspended' }]);
    const tree = await run('log', 'cheap', '--graph');
    const lanes = tree.stdout.split('\n').map((line) => line.replace(/ +20\d\d-\S+/u, '').trimEnd());
    expect(lanes).toEqual([
      expect.stringMatching(/^\* @9 +end +completed +head of ord_81$/u),
      expect.stringMatching(/^\* @8 +refund/u),
      expect.stringMatching(/^\* @5 +approve/u),
      expect.stringMatching(/^\* @4 +approve +answered/u),
      expect.stringMatching(/^\| \* @3 +fork +set cents +fork what-if \(suspended\)$/u),
      '|/',
      expect.stringMatching(/^\* @2 +check/u),
      expect.stringMatching(/^\* @1 +start/u),
      '',
    ]);
  });

  test('an ambiguous prefix is a conflict; @last~1 counts back; an unknown id is not found', async () => {
    const [several, back, none, tooFar] = await Promise.all([
      run('fork', 'ord_81', '--id', 'cheaper').then(() => run('show', 'chea')),
      run('state', '@last~1'),
      run('show', 'nobody'),
      run('show', '@last~99'),
    ]);
    expect(several.code).toBe(5);
    expect(several.stderr).toMatch(
      /^holdfast: Several run ids start with "chea": cheaper, cheap\. Type more of the id\.\n$/u,
    );
    expect(back.code).toBe(0);
    expect(none).toMatchObject({ code: 4, stdout: '' });
    expect(tooFar.code).toBe(4);
  });

  test('prune shows a preview, and drops checkpoints only with --apply', async () => {
    const [nothing, shown] = await Promise.all([run('prune'), run('prune', 'ord_81', '--keep', '1', '--json')]);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('--older-than 30d') });
    const [preview] = objects(shown);
    expect(preview).toMatchObject({ schema: 'holdfast.prune/1', applied: false });
    const [dropped] = objects(await run('prune', 'ord_81', '--keep', '1', '--apply', '--json'));
    expect(dropped).toMatchObject({ applied: true, pruned: preview?.['pruned'] });
    expect((await run('verify')).stdout).toMatch(/^ok: \d+ records, 1 snapshot\n$/u);
  });
});

describe('moving runs', () => {
  test('export, import and promote keep the history, redacted if requested', async () => {
    const written = await run('export', 'cheaper', '-o', 'out.jsonl', '--redact', '/state/order');
    expect(written).toMatchObject({ code: 0, stdout: expect.stringMatching(/^wrote out\.jsonl, /u) });
    expect(statSync(join(bench.folder, 'out.jsonl')).mode & 0o777).toBe(0o600);
    const [again, piped] = await Promise.all([run('export', 'cheaper', '-o', 'out.jsonl'), run('export', 'cheaper')]);
    expect(again.code).toBe(5);
    const copy = ['--store', 'sqlite:copy.db'];
    const imported = await bench.run(['import', '-', ...copy], { input: piped.stdout });
    expect(imported).toMatchObject({ code: 0, stdout: 'cheaper\n' });
    const [here, there] = await Promise.all([
      run('state', 'cheaper', '--json'),
      run('state', 'cheaper', '--json', ...copy),
    ]);
    expect(there.stdout).toBe(here.stdout);
    const promoted = await run('promote', 'sqlite:.holdfast/holdfast.db', 'sqlite:copy.db', '--json');
    // The fork already existed; its base only up to where it was forked.
    expect(objects(promoted)).toMatchObject([{ schema: 'holdfast.promote/1', runs: 3, copied: 2, skipped: 1 }]);
    const redacted = await run('import', 'out.jsonl', '--store', 'sqlite:redacted.db', '--json');
    expect(objects(redacted)).toMatchObject([{ runId: 'cheaper', redacted: true }]);
    expect((await run('state', 'cheaper', '--store', 'sqlite:redacted.db')).stdout).toMatch(
      /^order +'\[redacted\]'$/mu,
    );
    expect((await run('promote', 'sqlite:nowhere.db', 'sqlite:new.db')).code).toBe(4);
    expect(existsSync(join(bench.folder, 'new.db'))).toBe(false);
  });
});

describe('runs that do not go well', () => {
  test('a failed run exits with 1 and prints one line, and its stack only with --debug', async () => {
    const { code, stderr } = await run('run', 'broken', '--id', 'broken-1');
    expect(code).toBe(1);
    expect(stderr).toMatch(/failed broken-1: .*the bank says no/u);
    const shown = await run('show', 'broken-1');
    expect(shown.stdout).toMatch(/^Failed: .*the bank says no \(HOLDFAST_NODE_FAILED\)$/mu);
  });

  test('a message reaches a run that waits for it; a wrong name is not found', async () => {
    expect((await run('run', 'mailbox', '--id', 'mail-1')).code).toBe(3);
    const wrong = await run('send', 'mail-1', 'post', '{}');
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('HOLDFAST_UNKNOWN_MESSAGE') });
    expect((await bench.run(['send', 'mail-1', 'mail', '-'], { input: '{"text":"hello"}' })).code).toBe(0);
    expect((await run('cancel', 'mail-1', 'cheap', 'nobody')).code).toBe(4);
    const cancelled = await run('cancel', 'mail-1', 'cheap', '--reason', 'enough', '--jsonl');
    expect(objects(cancelled).map(({ id, status }) => [id, status])).toEqual([
      ['mail-1', 'cancelled'],
      ['cheap', 'cancelled'],
    ]);
  });

  test("a process killed in a 'once' effect: show tells the key, settle settles it", async () => {
    const died = await bench.run(['run', 'charge', '--id', 'charge-1'], { env: { DIE: 'now' } });
    expect(died.code).toBe(null);
    const { child, printed, done } = bench.start(['work']);
    await printed(
      /Took over run "charge-1": worker "[^"]+" died \(its (?:process or connection is gone|lease ended)\)\./u,
    );
    await printed(/charge-1.*waiting {2}/u);
    const shown = await run('show', 'charge-1', '--json');
    const { effects } = objects(shown)[0] as { effects: { key: string }[] };
    const key = effects[0]?.key ?? '';
    expect((await run('settle', 'charge-1', key)).code).toBe(2);
    const settled = await run('settle', 'charge-1', key, '--result', '"charged by hand"', '--wait', '--jsonl');
    expect(settled.code).toBe(0);
    expect(objects(settled).at(-1)).toMatchObject({ schema: 'holdfast.event/1', type: 'run-end', status: 'completed' });
    child.kill('SIGTERM');
    expect(await done).toMatchObject({ code: 143 });
  });

  test('check lists the runs that a build would strand, and exits with 5', async () => {
    await run('run', 'refunds', 'order=ord_90', 'cents=1', '--id', 'ord_90');
    expect((await run('check')).code).toBe(0);
    const text = readFileSync(join(bench.folder, 'graphs.ts'), 'utf8');
    writeFileSync(join(bench.folder, 'next.ts'), text.replaceAll("'approve'", "'decide'"));
    const { code, stdout } = await run('check', '-g', 'next.ts', '--jsonl');
    expect(code).toBe(5);
    expect(objects({ code, stdout, stderr: '' })).toMatchObject([
      { runId: 'ord_90', missing: [expect.stringContaining('approve')] },
    ]);
  });

  test('check names the graph that a build does not have at all', async () => {
    await run('run', 'refunds', 'order=ord_91', 'cents=1', '--id', 'ord_91');
    const text = readFileSync(join(bench.folder, 'graphs.ts'), 'utf8');
    writeFileSync(join(bench.folder, 'other.ts'), text.replaceAll("graph('refunds'", "graph('reimbursements'"));
    const { code, stdout, stderr } = await run('check', '-g', 'other.ts');
    expect(code).toBe(5);
    expect(stdout).toMatch(/^ord_91 +refunds v1 +graph refunds/mu);
    expect(stderr).toContain('This build does not have refunds: export it, or pass its file with -g.');
  });

  test('check passes before the first run and creates no store; answer says that there is none', async () => {
    const store = ['--store', `sqlite:${join(bench.folder, 'nowhere.db')}`];
    expect((await run('check', ...store)).code).toBe(0);
    const { code, stderr } = await run('answer', 'ord_1', 'ok', ...store);
    expect(code).toBe(4);
    expect(stderr).toContain('No store at');
    expect(existsSync(join(bench.folder, 'nowhere.db'))).toBe(false);
  });
});

describe('the code of graphs', () => {
  test('graph shows nodes and edges', async () => {
    const { stdout } = await run('graph', 'refunds');
    expect(stdout).toMatch(
      /^refunds v1 \w+\n {2}start +→ check\n {2}check +→ approve\n {2}approve +→ refund \(route\), end \(route\)\n {2}refund +→ end\n$/u,
    );
    expect((await run('graph', 'refunds', '--mermaid')).stdout).toMatch(/^flowchart TD\n/u);
  });

  test('a file that fails to load prints one line, and its stack with --debug', async () => {
    writeFileSync(join(bench.folder, 'bad.ts'), "import './nowhere.ts';\nexport const nothing: number = 1;\n");
    writeFileSync(join(bench.folder, 'empty.ts'), 'export const nothing: number = 1;\n');
    const [bad, debug, empty] = await Promise.all([
      run('graph', '-g', 'bad.ts'),
      run('graph', '-g', 'bad.ts', '--debug'),
      run('graph', '-g', 'empty.ts', '--json'),
    ]);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^holdfast: bad\.ts failed to load: .*\n$/u);
    expect(debug.stderr).toMatch(/\n {4}at /u);
    expect(JSON.parse(empty.stderr)).toMatchObject({ schema: 'holdfast.error/1', code: 'USAGE', exitCode: 2 });
  });

  test('init writes a project that runs, and overwrites nothing', async () => {
    const made = await run('init', 'node_modules/fresh');
    expect(made.stdout).toBe(
      'wrote node_modules/fresh/refunds.ts\nwrote node_modules/fresh/package.json\nwrote node_modules/fresh/.gitignore\n',
    );
    expect((await run('graph', '-g', 'node_modules/fresh/refunds.ts')).stdout).toContain('refunds v1');
    expect((await run('init', 'node_modules/fresh')).code).toBe(5);
  });
});

describe('doctor', () => {
  test('passes all six checks on this machine', async () => {
    const report = await run('doctor', '--json');
    expect(report.code).toBe(0);
    const { findings } = objects(report)[0] as { findings: { name: string; level: string }[] };
    expect(findings.map(({ name }) => name)).toEqual(['node', 'driver', 'store', 'permissions', 'clock', 'disk sync']);
  });

  test('reports a file that is not a store, and exits with 1', async () => {
    writeFileSync(join(bench.folder, 'junk.db'), 'no database '.repeat(100), { mode: 0o600 });
    const { code, stdout } = await run('doctor', '--store', 'sqlite:junk.db');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad {3}store /mu);
  });
});
