// @ts-check
// The rows of the five seed documents, the tests that show them and the mutants that those tests have to catch: read by
// `npm run seeds`, by the plugin that puts a mutant into the sources, and by the test of test/seeds/rows.json itself.
import { readFileSync } from 'node:fs';

/**
 * In the file, `from` (which is there once) becomes `to`.
 * @typedef {{ file: string, from: string, to: string }} Change
 */
/**
 * A small change of the product that breaks what its row promises; the row's tests on the store (default: memory) have to
 * notice. Several changes are one mutant where two places guard the same promise.
 * @typedef {{ breaks: string, store?: string, changes: Change[] }} Mutant
 */
/**
 * A row of SEEDS.md (`there`, `here` and `better` are its cells), the titles of its tests and its mutants.
 * @typedef {{ seed: string, name: string, there: string, here: string, better: string, note?: string, tests: string[], mutants: Mutant[] }} Row
 */

/** @param {string} root @returns {Row[]} */
export function readRows(root) {
  return JSON.parse(readFileSync(`${root}/test/seeds/rows.json`, 'utf8'));
}

/** Every mutant with its row and the name that it goes by. @param {readonly Row[]} rows */
export function mutantsOf(rows) {
  return rows.flatMap((row) =>
    row.mutants.map((mutant, index) => ({ name: `${row.seed}/${row.name}/${index + 1}`, row, mutant })),
  );
}

/** The changed text. @param {string} text @param {Change} change @returns {string} */
export function applyChange(text, { file, from, to }) {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times, and has to have once: ${from}`);
  return text.replace(from, () => to);
}

/** A title as a pattern: `%s` and its kind, and `$name`, stand for whatever a table of cases puts there. @param {string} title */
export function titlePattern(title) {
  const parts = title.split(/%[sdifjoOc#]|\$[\w.]+/);
  return parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('[\\s\\S]*');
}

/** The titles of a file's tests, as they are written there. @param {string} source @returns {string[]} */
export function titlesIn(source) {
  const starts = source.match(/\btest(?:\.each)?\(/g) ?? [];
  const found = [...source.matchAll(/\btest(?:\.each\(.*?\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gs)];
  if (found.length !== starts.length) throw new Error(`${starts.length} tests, but ${found.length} titles can be read`);
  return found.map(([, single, double]) => (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
}

/** The rows of the tables "there | here | and better", each with its document. @param {string} markdown */
export function rowsIn(markdown) {
  let seed = '';
  /** @type {Pick<Row, 'seed' | 'there' | 'here' | 'better'>[]} */
  const rows = [];
  for (const line of markdown.split('\n')) {
    seed = /^## (\d{3}):/.exec(line)?.[1] ?? seed;
    const cells = /^\| (.*) \|(.*)\|(.*)\|$/.exec(line)?.slice(1);
    const [there = '', here = '', better = ''] = (cells ?? []).map((cell) => cell.trim());
    if (seed !== '' && cells !== undefined && there !== 'there') rows.push({ seed, there, here, better });
  }
  return rows;
}
