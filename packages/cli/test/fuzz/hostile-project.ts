import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, graph, HoldfastError, list, openEngine, workflow } from 'holdfast';
import { z } from 'zod';
import { hostileExport } from './hostile-export.ts';

/** Gives one text after the other. */
export type NextText = () => string;

/** The runs of a project. */
export const runIds = ['open', 'done', 'forked', 'failed', 'cancelled', 'notes', 'imported'] as const;

const anything = z.record(z.string(), z.string());

const inbox = graph('inbox', {
  state: { note: z.string(), bag: anything, log: list<string>() },
  asks: { approval: { show: anything, answer: anything } },
})
  .node('check', ({ state }) => ({ log: state.note }))
  .node('approve', async ({ state, ask: question }) => {
    const given = await question('approval', state.bag);
    return { log: Object.values(given) };
  })
  .edge('start', 'check')
  .edge('check', 'approve')
  .edge('approve', 'end')
  .compile();

/** Calls in a project whose every free text is hostile, and whose folder is gone afterwards. */
export async function inProject<T>(text: NextText, use: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-fuzz-'));
  const before = process.cwd();
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    mkdirSync(join(folder, '.holdfast'), { mode: 0o700 });
    process.chdir(folder);
    // No power is cut here.
    await using engine = await openEngine('sqlite:.holdfast/holdfast.db?durability=normal', { graphs: [inbox] });
    await fill(engine, text);
    await engine.close();
    return await use();
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(engine: Engine, text: NextText): Promise<void> {
  const bag = (): Record<string, string> => ({ [text()]: text(), plain: text() });
  // As the API takes them: not empty, and every store keeps them as they are.
  const tag = (): string =>
    `t${text()
      .replaceAll(/[\0\p{Cs}]/gu, '')
      .slice(0, 100)}`;
  const tags = { one: tag(), two: tag() };
  for (const id of ['open', 'done', 'cancelled']) {
    await (await engine.start(inbox, { note: text(), bag: bag() }, { id, tags })).outcome();
  }
  const done = await engine.get(inbox, 'done');
  await typed(() => done.answer('approval', bag(), { by: text() }));
  await done.outcome();
  await typed(() => done.fork({ id: 'forked', label: text(), set: { note: text() } }));
  const cancelled = await engine.get(inbox, 'cancelled');
  await typed(() => cancelled.cancel(text()));
  const fails = workflow('fails', { input: z.object({}) }, async () => {
    throw Object.assign(new Error(text()), { cause: new Error(text()) });
  });
  await (await engine.start(fails, {}, { id: 'failed' })).outcome();
  await typed(() => engine.journal.append('notes', { payload: bag(), meta: { m: text() }, labels: [text() || 'l'] }));
  await typed(() => engine.checkpoints.save('notes', { state: bag(), label: text() }));
  await importHostile(engine, text);
}

const numbers: readonly number[] = [1e300, -1, 0.5, 2 ** 53, 8.64e15, 9e15, 0];

/** What the API refuses need not be there. */
async function typed(call: () => Promise<unknown>): Promise<void> {
  await call().catch((error: unknown) => {
    if (!HoldfastError.is(error)) throw error;
  });
}

/** A file may name things as the API never would. */
async function importHostile(engine: Engine, text: NextText): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of engine.export('open')) chunks.push(chunk);
  let count = 0;
  const [offset, every] = [text().length, 5 + text().length];
  const file = hostileExport(Buffer.concat(chunks), (before) => {
    count += 1;
    if ((count + offset) % every !== 0) return before;
    return typeof before === 'string' ? text() : numbers[count % numbers.length];
  });
  await typed(() => engine.import(file, { id: 'imported' }));
}
