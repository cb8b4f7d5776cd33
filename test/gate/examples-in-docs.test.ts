// Whoever hovers over a name that `holdfast` exports finds out how it is used: each has an example, and every example compiles.
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { complaintsAbout } from '../types/virtual-program.ts';

const entry = resolve('packages/core/src/index.ts');

/** What every example may use. */
const setting = `import { randomBytes } from 'node:crypto';
import { type ContextOf, channel, counter, graph, list, messages, openAgent, openEngine } from 'holdfast';
import { type SqliteDatabase, sqliteStore } from 'holdfast/sqlite';
import { faultyStore, memoryStore, scriptedFaults, virtualClock } from 'holdfast/testing';
import { readFile, writeFile } from 'node:fs/promises';
import { Pool } from 'pg';
import { describe, test } from 'vitest';
import { z } from 'zod';
export { describe, faultyStore, memoryStore, Pool, randomBytes, readFile, scriptedFaults, sqliteStore, test, virtualClock, writeFile, z };
export declare const DatabaseSync: new (file: string) => SqliteDatabase;
const base = graph('refunds', {
  state: { order: z.string(), cents: z.number().default(500), approved: channel<boolean>(), log: list<string>() },
  asks: { approval: z.boolean() },
  receives: { paid: z.object({ reference: z.string() }), cancelled: z.string() },
});
export const refunds = base
  .node('check', () => ({ log: 'checked' }))
  .node('pay', () => ({ log: 'paid' }))
  .edge('start', 'check')
  .edge('check', 'pay')
  .edge('pay', 'end')
  .compile();
export const engine = await openEngine('memory:');
export const run = await engine.start(refunds, { order: 'ord-81', cents: 500 });
export const agent = await openAgent(engine, { id: 'clerk', initial: { handled: 0 } });
export const chat = graph('chat', { state: { messages: messages<{ content: string }>() } });
export const review = graph('review', { state: { ok: z.boolean(), rounds: counter() } }).node('write', () => {});
declare const context: ContextOf<typeof base>;
const { receive, sleep, step } = context;
export { receive, sleep, step };
export declare const bytes: Uint8Array;
export declare const error: unknown;
export declare const ticket: string;
export declare const invoice: { readonly dueAt: Date };
export declare const handle: (ticket: string, signal: AbortSignal) => Promise<void>;
export declare const isDone: (job: string) => boolean;
export declare const ship: (reference: string) => Promise<void>;
export declare const accounts: { create(name: string): Promise<string> };
export declare const mail: { send(account: string, key: string): Promise<string> };
export declare const bank: { charge(order: string): Promise<string> };
export declare const client: { query(text: string): Promise<void> };
export declare const tracer: { startActiveSpan<T>(name: string, fn: () => T): T };
`;
const given = [...setting.matchAll(/^export (?:declare )?const (\w+)|^export \{ (.*) \}/gm)].flatMap(
  ([, name, names]) => name ?? names?.split(', ') ?? [],
);

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, ts.sys.readFile(file) ?? '', ts.ScriptTarget.Latest, true);
}

/** The names that an entry point exports, and their files. */
const exportsOf = (entry: string): readonly (readonly [name: string, file: string])[] =>
  parsed(entry)
    .statements.filter(ts.isExportDeclaration)
    .flatMap(({ exportClause, moduleSpecifier }) => {
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
      const file = resolve(dirname(entry), (moduleSpecifier as ts.StringLiteral).text);
      return exportClause.elements.map(({ name }) => [name.text, file] as const);
    });
const exported = exportsOf(entry);

/** The comments above the declarations of a name. Each signature of a function has its own. */
function comments(name: string, file: string): readonly string[] {
  const source = parsed(file);
  return source.statements
    .filter(
      (node) =>
        ts.isFunctionDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node),
    )
    .filter((node) => node.name?.text === name)
    .flatMap((node) => ts.getJSDocCommentsAndTags(node))
    .filter((node) => ts.isJSDoc(node))
    .map((comment) => comment.getText(source));
}

/** The functions of the other entry points, and where they are imported from. */
const functions = Object.entries({
  testing: 'testing/index.ts',
  file: 'store/file/index.ts',
  sqlite: 'store/sqlite/index.ts',
  postgres: 'store/postgres/index.ts',
}).flatMap(([name, path]) =>
  exportsOf(resolve('packages/core/src', path))
    .filter(([each, file]) =>
      parsed(file).statements.some((node) => ts.isFunctionDeclaration(node) && node.name?.text === each),
    )
    .map(([each, file]) => [each, file, `holdfast/${name}`] as const),
);

/** The examples in a comment, as modules that import what they name; `from` is where a name comes from that is not in `holdfast`. */
function modules(comment: string, [own, from]: readonly [own?: string, from?: string] = []): readonly string[] {
  const blocks = [...comment.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) =>
    text.replaceAll(/^ *\* ?/gm, ''),
  );
  return blocks.map((text) => {
    const names = new Set(text.match(/\b[\w$]+\b/g));
    const used = (all: readonly string[]): string =>
      all.filter((name) => names.has(name) && !new RegExp(`(?:const|type) ${name}\\b`).test(text)).join(', ');
    const ours = used(exported.map(([name]) => name));
    const imported = own === undefined ? '' : `import { ${own} } from '${from}';\n`;
    return `${imported}import { ${ours} } from 'holdfast';\nimport { ${used(given.filter((each) => each !== own))} } from './example-setting.ts';\n{\n${text}\n}\n`;
  });
}

const fileOf = (index: number): string => resolve(`test/types/example-${index}.ts`);

/** What TypeScript says about each module. */
function errorsIn(texts: readonly string[]): readonly string[] {
  const files = new Map([[resolve('test/types/example-setting.ts'), setting]]);
  for (const [index, text] of texts.entries()) files.set(fileOf(index), text);
  const said = complaintsAbout(files, { verbatimModuleSyntax: false });
  return texts.map((text, index) => {
    const found = said.get(fileOf(index)) ?? '';
    return found === '' ? '' : `${found}\n${text}`;
  });
}

describe('the documentation of holdfast', () => {
  test('covers the names that are exported', () => {
    expect(exported.map(([name]) => name)).toEqual(expect.arrayContaining(['openEngine', 'HoldfastError', 'Run']));
  });

  test.each(exported)('has an example of %s', (name, file) => {
    const found = comments(name, file);
    expect(found.length).toBeGreaterThan(0);
    for (const comment of found) expect(comment).toContain('```ts');
  });

  test.each(functions)('has an example of %s', (name, file) => {
    for (const comment of comments(name, file)) expect(comment).toContain('```ts');
  });

  test('has examples that compile, and would be told of one that does not', () => {
    const texts = [
      ...exported.flatMap(([name, file]) => comments(name, file).flatMap((comment) => modules(comment))),
      ...functions.flatMap(([name, file, from]) =>
        comments(name, file).flatMap((comment) => modules(comment, [name, from])),
      ),
    ];
    expect(functions.length).toBeGreaterThan(12);
    const [wrong, ...errors] = errorsIn([...modules('```ts\nengine.start(refunds, {});\n```'), ...texts]);
    expect(wrong).toContain('is not assignable');
    expect(errors.filter((error) => error !== '')).toEqual([]);
  });
});
