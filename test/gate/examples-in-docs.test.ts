// Whoever hovers over a name that `holdfast` exports finds out how it is used: every function and class has an example.
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const entry = resolve('packages/core/src/index.ts');

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, ts.sys.readFile(file) ?? '', ts.ScriptTarget.Latest, true);
}

/** The functions and classes that the entry point exports, and their files. */
function exportedValues(): readonly (readonly [name: string, file: string])[] {
  return parsed(entry)
    .statements.filter(ts.isExportDeclaration)
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .flatMap(({ exportClause, moduleSpecifier }) => {
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
      const file = resolve(dirname(entry), (moduleSpecifier as ts.StringLiteral).text);
      return exportClause.elements
        .filter(({ isTypeOnly }) => !isTypeOnly)
        .map(({ name }) => [name.text, file] as const);
    });
}

/** The comments above the declarations of a name. Each signature of a function has its own. */
function comments(name: string, file: string): readonly string[] {
  const source = parsed(file);
  return source.statements
    .filter((node) => (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name?.text === name)
    .flatMap((node) => ts.getJSDocCommentsAndTags(node))
    .map((comment) => comment.getText(source));
}

describe('the documentation of holdfast', () => {
  const values = exportedValues();

  test('covers the values that are exported', () => {
    expect(values.map(([name]) => name)).toEqual(expect.arrayContaining(['openEngine', 'graph', 'HoldfastError']));
  });

  test.each(values)('has an example of %s', (name, file) => {
    const found = comments(name, file);
    expect(found.length).toBeGreaterThan(0);
    for (const comment of found) expect(comment).toContain('```ts');
  });
});
