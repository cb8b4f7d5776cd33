// Nothing that a run, a store or a file contains reaches a terminal as a control character.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { graph, list, openEngine, workflow } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Mode, Output } from '../../src/output/output.ts';
import { oneLine } from '../../src/output/printable.ts';
import { publicCommands } from '../../src/program/commands.ts';
import { type Bench, openBench } from '../bench.ts';
import { attacks, controlsIn, hostileText } from './hostile-text.ts';

const isColored = true;

/** An output for a terminal with colours, and what was written to it. */
function capture(mode: Mode): { readonly out: Output; readonly written: () => string } {
  let text = '';
  const stream = { isTTY: true, columns: 80, write: (chunk: string | Uint8Array) => (text += String(chunk)) };
  return { out: new Output({ mode, env: {}, stdout: stream, stderr: stream }), written: () => text };
}

describe('Output', () => {
  test('escapes every text, however it is written', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (one, two) => {
        const { out, written } = capture('human');
        const { paint } = out;
        out.line(paint.red(one) + two);
        out.line(one + paint.bold(two));
        out.text(`${one}\n${paint.dim(two)}\n`);
        out.note(one);
        out.notes(two);
        out.hint(`${one}${two}`);
        out.result('x', { [one]: two }, () => [one, two]);
        for (const line of out.table([one, two], [[one, { text: two, paint: paint.cyan }]])) out.line(line);
        expect(controlsIn(written(), { isColored })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('styles only what we style', () => {
    for (const attack of attacks) {
      const { out, written } = capture('human');
      out.line(out.paint.red(attack));
      expect(written().split('\u001b')).toHaveLength(3);
    }
  });

  test('escapes JSON as JSON: it is read back unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom<Mode>('json', 'jsonl'), hostileText, hostileText, (mode, key, value) => {
        const { out, written } = capture(mode);
        out.result('x', { value: { [`k${key}`]: value } }, () => []);
        expect(controlsIn(written())).toEqual([]);
        expect(JSON.parse(written())).toEqual({ schema: 'holdfast.x/1', value: { [`k${key}`]: value } });
      }),
      { numRuns: 500 },
    );
  });

  test('draws live lines without the control characters of their data', () => {
    const { out, written } = capture('human');
    out.replaceLines(3, attacks);
    out.replaceNote(attacks.join(''));
    const text = written().replace('\u001b[3A\r\u001b[J', '').replace('\r\u001b[K', '');
    expect(controlsIn(text)).toEqual([]);
  });

  test('is the only way to the terminal, apart from the help and the forms', () => {
    const folder = join(import.meta.dirname, '../../src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const writing = files.filter((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return !file.endsWith('.test.ts') && /process\.std(?:out|err)\b|console\.|@clack/u.test(text);
    });
    expect(writing.toSorted()).toEqual(['input/schema-form.ts', 'program/run-program.ts']);
  });
});

describe('oneLine()', () => {
  // Time is not asserted: with a quadratic one, this test alone would take minutes.
  test('is linear', () => {
    for (const text of [' ', '\n', ' \n', '\t', '\r\n '])
      expect(oneLine(`a${text.repeat(1_000_000)}b`)).toMatch(/^a.*b$/u);
    expect(oneLine(` ${' '.repeat(1_000_000)}`)).toBe('');
  });
});

describe('every command', () => {
  let bench: Bench;
  const all = attacks.join(' ');
  beforeAll(async () => {
    bench = openBench();
    writeFileSync(join(bench.folder, 'hostile.ts'), '');
    await fill(`sqlite:${join(bench.folder, '.holdfast/holdfast.db')}`);
  });
  afterAll(() => bench.close());

  /** Runs whose every free text is hostile. */
  async function fill(store: `sqlite:${string}`): Promise<void> {
    const samples = Object.fromEntries(fc.sample(hostileText, 40).map((text, index) => [`${text}${index}`, text]));
    const answer = z.object({ [all]: z.string(), ok: z.enum(['yes', all]), n: z.number().describe(all) });
    const inbox = graph('inbox', {
      state: { note: z.string(), bag: z.record(z.string(), z.string()), log: list<string>() },
      asks: { approval: { show: z.object({ text: z.string(), bag: z.record(z.string(), z.string()) }), answer } },
    })
      .node('check', ({ state }) => ({ log: state.note }))
      .node('approve', async ({ state, ask: question }) => {
        const given = await question('approval', { text: all, bag: state.bag });
        return { log: String(given['ok']) };
      })
      .edge('start', 'check')
      .edge('check', 'approve')
      .edge('approve', 'end')
      .compile();
    const fails = workflow('fails', { input: z.object({}) }, async () => {
      throw Object.assign(new Error(all), { cause: new Error(all) });
    });
    const says = workflow('says', { input: z.object({}), emits: z.string() }, async (_input, { emit }) => {
      emit(all);
      return { [all]: all };
    });
    await using engine = await openEngine(store, { graphs: [inbox, fails, says], workerId: 'w' });
    const input = { note: all, bag: samples };
    const tags = Object.fromEntries(attacks.slice(0, 12).map((text, index) => [`t${index}`, text]));
    for (const id of ['open', 'done']) await (await engine.start(inbox, input, { id, tags })).outcome();
    const done = await engine.get(inbox, 'done');
    await done.answer('approval', { [all]: all, ok: 'yes', n: 1 }, { by: all });
    await done.outcome();
    await done.fork({ id: 'forked', label: all, set: { note: `${all}!` } });
    await (await engine.start(fails, {}, { id: 'failed' })).outcome();
    await (await engine.start(says, {}, { id: 'said' })).outcome();
    const cancelled = await engine.start(inbox, input, { id: 'cancelled' });
    await cancelled.cancel(all);
    await engine.journal.append('notes', { payload: samples, labels: ['l'] });
    await engine.checkpoints.save('notes', { state: samples, label: all });
  }

  const runs = ['open', 'done', 'forked', 'failed', 'said', 'cancelled', 'notes'];
  /** The arguments of each command, or why it is not called here. */
  const lines: Readonly<Record<string, readonly (readonly string[])[] | string>> = {
    demo: 'it shows only its own runs',
    dev: 'its lines are those of a board and of the worker, which Output escapes',
    work: 'its lines are those of a board, which Output escapes',
    serve: [
      ['--host', attacks[0] ?? '', '--port', '0'],
      ['--redact', attacks[1] ?? '', '--port', '0'],
    ],
    studio: [['--port', attacks[0] ?? '']],
    init: [[attacks[0] ?? '']],
    doctor: [[], ['--store', `sqlite:${all.replaceAll('\0', '')}`]],
    completion: [['bash'], [all.replaceAll('\0', '')]],
    run: [['nothing', 'k=v']],
    submit: [['nothing', `${attacks[0]}=1`]],
    recover: [['-g', 'hostile.ts']],
    check: [['-g', 'hostile.ts']],
    graph: [['-g', `${attacks[1]}.ts`]],
    runs: [[], ['note', '--limit', '0'], [`status:${attacks[0]}`]],
    show: [...runs.map((run) => [run]), [attacks[4] ?? '']],
    watch: runs.filter((run) => run !== 'notes').map((run) => [run]),
    log: [...runs.map((run) => [run]), ['forked', '--graph']],
    state: [...runs.map((run) => [run]), ['done@2']],
    diff: [
      ['done@1', '@2'],
      ['done', 'forked'],
    ],
    journal: runs.map((run) => [run]),
    asks: [[], ['open']],
    answer: [['open', 'approval', 'x=1'], ['open', `${attacks[0]}`, 'x=1'], ['open'], ['done', 'approval', 'ok=no']],
    send: [['open', attacks[1] ?? '', '1']],
    settle: [['open', attacks[1] ?? '', '--retry']],
    fork: [
      ['done', '--set', `${attacks[0]}=1`],
      ['done@2', '--id', 'again', '--label', attacks[1] ?? ''],
    ],
    resume: [['failed']],
    cancel: [['cancelled', '--reason', attacks[0] ?? '']],
    prune: [
      ['--keep', '1'],
      ['--older-than', attacks[0] ?? ''],
    ],
    verify: [[]],
    export: [['open', '-o', 'open.jsonl']],
    import: [[attacks[0] ?? ''], ['open.jsonl', '--store', 'sqlite:imported.db']],
    backup: [['backup.db'], [attacks[0] ?? '']],
    migrate: [[], ['--store', `file:${attacks[1]}/x`]],
    promote: [
      ['sqlite:.holdfast/holdfast.db', 'sqlite:promoted.db'],
      [attacks[0] ?? '', 'x'],
    ],
  };

  test('has its line here', () => {
    expect(Object.keys(lines).toSorted()).toEqual(
      publicCommands()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  const called = Object.entries(lines).flatMap(([name, calls]) => (typeof calls === 'string' ? [] : [{ name, calls }]));
  test.each(called)('$name prints no control characters', async ({ name, calls }) => {
    for (const [index, args] of calls.entries()) {
      const [human, json] = await Promise.all([
        bench.run([name, ...args], { env: { FORCE_COLOR: '1' } }),
        bench.run([name, ...args, ...(index % 2 === 0 ? ['--json', '--debug'] : ['--jsonl'])]),
      ]);
      expect(controlsIn(human.stdout + human.stderr, { isColored })).toEqual([]);
      expect(controlsIn(json.stdout + json.stderr)).toEqual([]);
      for (const line of json.stdout.split('\n')) if (line.startsWith('{')) JSON.parse(line);
    }
  });

  test('warnings of Node and of the library print none either, and Node 22 does not warn of its SQLite', async () => {
    const code = `process.emitWarning(${JSON.stringify(all)}, 'HoldfastWarning');
      process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
      export * from './graphs.ts';`;
    writeFileSync(join(bench.folder, 'warning.ts'), code);
    const { stderr } = await bench.run(['graph', '-g', 'warning.ts']);
    expect(stderr).toMatch(/^holdfast: HoldfastWarning: .*\n$/u);
    expect(controlsIn(stderr)).toEqual([]);
  });

  test('the log of a worker prints none either', async () => {
    const code = `import { workflow } from 'holdfast';
      import { z } from 'zod';
      const text = ${JSON.stringify(all)};
      export const boom = workflow('boom', { input: z.object({}) }, async (_, { step, log }) => {
        log(text, text);
        await step('fails', () => { throw new Error(text); }, { retry: 1 }).catch(() => undefined);
        throw Object.assign(new Error(text), { name: text, code: text });
      });`;
    writeFileSync(join(bench.folder, 'boom.ts'), code);
    const store = ['--store', 'sqlite:boom.db', '-g', 'boom.ts'];
    const ran = await bench.run(['run', 'boom', '--id', 'one', ...store]);
    await bench.run(['submit', 'boom', '--id', 'two', ...store]);
    const worked = await bench.run(['recover', ...store]);
    expect(ran.stderr + worked.stderr).toContain('owned');
    for (const { stdout, stderr } of [ran, worked]) expect(controlsIn(stdout + stderr)).toEqual([]);
  });

  test('a wrong command prints none either', async () => {
    const { code, stderr } = await bench.run([attacks[0] ?? '', attacks[1] ?? '']);
    expect({ code, controls: controlsIn(stderr) }).toEqual({ code: 2, controls: [] });
  });
});
