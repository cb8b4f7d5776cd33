// @ts-check
// Counts the type instantiations that checking the samples and a generated graph of 200 nodes takes, and compares them
// with test/types/instantiations.json: what makes editors slow is found when it is written.
//   node scripts/check-types.mjs            compares
//   node scripts/check-types.mjs --record   writes what it counts
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const recordFile = 'test/types/instantiations.json';
/** What part of the record may be added, or gone, before somebody has to look. */
const above = 0.1;
const below = 0.25;

const { values } = parseArgs({ options: { record: { type: 'boolean' } } });
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('test/tsconfig.json', (file) => ts.sys.readFile(file)).config,
  ts.sys,
  resolve('test'),
);

const generated = resolve('test/types/two-hundred-nodes.ts');
const disk = ts.createCompilerHost(options);
/** @type {ts.CompilerHost} */
const host = {
  ...disk,
  // As tsc does: comments are of no use here.
  jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
  fileExists: (file) => file === generated || disk.fileExists(file),
  readFile: (file) => (file === generated ? twoHundredNodes() : disk.readFile(file)),
  getSourceFile: (file, languageVersion, onError) =>
    file === generated
      ? ts.createSourceFile(file, twoHundredNodes(), languageVersion, true)
      : disk.getSourceFile(file, languageVersion, onError),
};

/** A graph with nodes, loops over items, routes, joins and gotos. */
function twoHundredNodes() {
  const lines = [
    "import { channel, goto, graph, list } from 'holdfast';",
    "import { z } from 'zod';",
    "export const large = graph('large', {",
    '  state: { topic: z.string(), count: z.number().default(0), log: list<string>(), last: channel<number>() },',
    '})',
  ];
  for (let index = 0; index < 200; index++) {
    const name = `n${index}`;
    if (index % 10 === 3) lines.push(`.each('${name}', (state) => state.log, (item) => ({ log: item }))`);
    else if (index % 10 === 7)
      lines.push(`.node('${name}', () => goto('n${index - 1}', { last: 1 }), { to: ['n${index - 1}', 'end'] })`);
    else lines.push(`.node('${name}', async ({ state }) => ({ log: state.topic, last: ${index} }))`);
  }
  lines.push(".edge('start', 'n0')");
  for (let index = 0; index < 200; index++) {
    const next = index === 199 ? 'end' : `n${index + 1}`;
    if (index % 10 === 5)
      lines.push(`.route('n${index}', ['${next}', 'end'], (state) => (state.last ? '${next}' : 'end'))`);
    else if (index % 10 === 8) lines.push(`.edge(['n${index}', 'n${index - 1}'], '${next}')`);
    else lines.push(`.edge('n${index}', '${next}')`);
  }
  return [...lines, '.compile();', ''].join('\n');
}

/** What `tsc --extendedDiagnostics` prints, but only for what has been checked so far. */
function instantiations() {
  return /** @type {{ getInstantiationCount(): number }} */ (/** @type {unknown} */ (program)).getInstantiationCount();
}

/** What it takes to check one file alone: the number must not grow with the library's code. @param {string} file */
function count(file) {
  const before = instantiations();
  const source = program.getSourceFile(file);
  const diagnostics = program.getSemanticDiagnostics(source);
  if (source === undefined || diagnostics.length > 0) {
    console.error(ts.formatDiagnostics(diagnostics, host) || `${file} is not there`);
    process.exit(1);
  }
  return instantiations() - before;
}

const samples = resolve('test/types/samples.ts');
const program = ts.createProgram({ rootNames: [samples, generated], options, host });
const counted = { samples: count(samples), 'two hundred nodes': count(generated) };
if (values.record === true) writeFileSync(recordFile, `${JSON.stringify(counted, null, 2)}\n`);
/** @type {Record<string, number>} */
const recorded = JSON.parse(readFileSync(recordFile, 'utf8'));
for (const [name, found] of Object.entries(counted)) {
  const expected = recorded[name] ?? 0;
  console.log(`${name}: ${found} instantiations, ${expected} recorded`);
  if (found > expected * (1 + above)) {
    console.error(
      `${name} takes ${found} type instantiations, more than ${above * 100}% above the ${expected} of ${recordFile}. Make the types cheaper; if it has to be, write the new record with: node scripts/check-types.mjs --record`,
    );
    process.exitCode = 1;
  } else if (found < expected * (1 - below)) {
    console.error(
      `${name} takes only ${found} type instantiations, ${expected} are recorded in ${recordFile}. Keep what was gained: node scripts/check-types.mjs --record`,
    );
    process.exitCode = 1;
  }
}
