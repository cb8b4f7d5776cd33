// What an editor shows when somebody points at a state, an input or a result: plain types, not the machinery behind them.
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const file = resolve('test/types/hovered.ts');
const code = `import { graph, list, openEngine, workflow, type InputOf, type OutputOf, type StateOf } from 'holdfast';
import { z } from 'zod';
interface Line { text: string; tags: string[] }
const refunds = graph('refunds', { state: { order: z.string(), log: list<Line>() } })
  .node('pay', ({ state }) => ({ log: { text: state.order, tags: [] } }))
  .edge('start', 'pay')
  .edge('pay', 'end')
  .compile();
const double = workflow('double', { input: z.object({ n: z.number() }) }, async (input, { step }) => {
  const doubled = await step('double', () => ({ twice: [input.n * 2] }));
  return doubled.twice;
});
type State = StateOf<typeof refunds>;
type Output = OutputOf<typeof refunds>;
type Input = InputOf<typeof double>;
const engine = await openEngine('memory:');
const result = await engine.start(refunds, { order: 'ord-81' }).result();
const numbers = await engine.start(double, { n: 2 }).result();
`;

const { config } = ts.readConfigFile('test/tsconfig.json', (each) => ts.sys.readFile(each)) as { config: unknown };
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('test'));
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (each) => {
    const text = each === file ? code : ts.sys.readFile(each);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => process.cwd(),
  getCompilationSettings: () => options,
  getDefaultLibFileName: (each) => ts.getDefaultLibFilePath(each),
  fileExists: (each) => each === file || ts.sys.fileExists(each),
  readFile: (each) => (each === file ? code : ts.sys.readFile(each)),
});

/** What an editor shows for the first place where this text is, on one line. */
function hover(text: string, name: string): string {
  const shown = service.getQuickInfoAtPosition(file, code.indexOf(text) + text.indexOf(name));
  return ts.displayPartsToString(shown?.displayParts).replaceAll(/\s+/g, ' ');
}

const state =
  '{ readonly order: string; readonly log: readonly { readonly text: string; readonly tags: readonly string[]; }[]; }';

test.each([
  ['({ state })', 'state', `(parameter) state: ${state}`],
  ['type State =', 'State', `type State = ${state}`],
  ['type Output =', 'Output', `type Output = ${state}`],
  ['const result', 'result', `const result: ${state}`],
  ['type Input =', 'Input', 'type Input = { readonly n: number; }'],
  ['async (input', 'input', '(parameter) input: { n: number; }'],
  ['const doubled', 'doubled', 'const doubled: { twice: number[]; }'],
  ['const numbers', 'numbers', 'const numbers: number[]'],
])('%s is shown plainly', (text, name, shown) => {
  expect(hover(text, name)).toBe(shown);
});
