// The ten programs of examples/src/programs are short, and nothing in them says a type that TypeScript can infer.
// Counted are the lines of the program as the formatter leaves them: the graph or workflow, and its use. Not counted are
// imports, type declarations, blank lines and lines that are only a comment. Closing brackets count.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** The most lines that each may have. */
const limits: Readonly<Record<string, number>> = {
  'react-agent': 12,
  escalation: 16,
  'fan-out-with-limits': 15,
  saga: 13,
  chat: 12,
  supervisor: 12,
  'daily-report': 17,
  'webhook-order': 18,
  'polling-job': 13,
  'fork-and-compare': 14,
};
const folder = new URL('../../examples/src/programs/', import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -3));

function isDeclaredType(node: ts.Node): boolean {
  return ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
}

function countLines(source: ts.SourceFile): number {
  const code = source.statements.filter((node) => !isDeclaredType(node)).map((node) => node.getText(source));
  return code
    .join('\n')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}

/** Types of variables, parameters and results, and casts. What a channel holds, such as `list<string>()`, is none. */
function annotations(source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isDeclaredType(node)) return;
    const isCast = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node);
    const isTyped = (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isFunctionLike(node)) && node.type;
    if (isCast || isTyped) found.push(node.getText(source));
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function parsed(text: string): ts.SourceFile {
  return ts.createSourceFile('program.ts', text, ts.ScriptTarget.Latest);
}

describe('the ten programs', () => {
  test('are all there', () => {
    expect(names.toSorted()).toEqual(Object.keys(limits).toSorted());
  });

  test.each(names)('%s is short and has no type annotation', (name) => {
    const source = parsed(readFileSync(new URL(`${name}.ts`, folder), 'utf8'));
    expect(annotations(source)).toEqual([]);
    expect(countLines(source)).toBeLessThanOrEqual(limits[name] ?? 0);
  });

  test('a closing bracket counts; an import, a type, a comment and a blank line do not', () => {
    const text = "// a\nimport 'a';\n\ntype A = {\n  a: 1;\n};\nfor (;;) {\n\n  // b\n  f(); // c\n}\n";
    expect(countLines(parsed(text))).toBe(3);
  });

  test('an annotation of a variable, a parameter or a result is found, and a cast', () => {
    const text = 'const a: A = 1; const f = (b: B): C => d as D; e!; h satisfies H; list<string>();';
    expect(annotations(parsed(text))).toEqual([
      'a: A = 1',
      '(b: B): C => d as D',
      'b: B',
      'd as D',
      'e!',
      'h satisfies H',
    ]);
  });
});
