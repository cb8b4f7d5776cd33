// @ts-check
// The static gate: runs every script of package.json named `check:…` and prints one line a step.
//   npm run check                       all of them
//   npm run check -- --only lint,layers some of them
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Steps that read what another one writes. @type {Record<string, string>} */
const after = { package: 'build', size: 'build' };

const { values } = parseArgs({ options: { only: { type: 'string' } } });
/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const all = Object.keys(scripts).flatMap((name) => (name.startsWith('check:') ? [name.slice('check:'.length)] : []));
const chosen = values.only?.split(',') ?? all;
const unknown = chosen.filter((step) => !all.includes(step));
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. The steps are ${all.join(', ')}.`);
  process.exit(2);
}

const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env['PATH']}` };

/** Runs one step and tells whether it passed. @param {string} step @returns {Promise<boolean>} */
function run(step) {
  const startedAt = performance.now();
  const child = spawn(scripts[`check:${step}`] ?? '', { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.padEnd(8)} ${seconds.padStart(5)} s`);
      if (code !== 0) console.log(`\n${output.trim()}\n`);
      settle(code === 0);
    });
  });
}

const waiting = [...chosen];
/** @type {Map<string, boolean>} */
const passed = new Map();

/** The next step that may start; one that stands on a failed step does not run. @returns {string | undefined} */
function takeReady() {
  const index = waiting.findIndex((step) => {
    const before = after[step];
    return before === undefined || !chosen.includes(before) || passed.has(before);
  });
  return index === -1 ? undefined : waiting.splice(index, 1)[0];
}

/** @type {Set<Promise<void>>} */
const running = new Set();
while (waiting.length > 0 || running.size > 0) {
  const step = running.size < availableParallelism() ? takeReady() : undefined;
  if (step === undefined) {
    await Promise.race(running);
  } else if (passed.get(after[step] ?? '') === false) {
    passed.set(step, false);
    console.log(`FAILED ${step.padEnd(8)} not run: ${after[step]} failed`);
  } else {
    const job = run(step)
      .then((ok) => void passed.set(step, ok))
      .finally(() => running.delete(job));
    running.add(job);
  }
}

const failed = chosen.filter((step) => passed.get(step) !== true);
if (failed.length > 0) {
  console.log(`The gate failed: ${failed.join(', ')}. One step alone: npm run check -- --only ${failed[0]}`);
  process.exitCode = 1;
}
