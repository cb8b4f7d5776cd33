// @ts-check
// Follows a page in the current directory: writes its files, runs its commands, and compares what they print.
//   node scripts/newcomer.mjs PAGE FOLDER_OF_TARBALLS
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , page = '', tarballs = ''] = process.argv;
const blocks = [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)];

/** The packages that are not published yet come from here. */
const packed = new Map(
  readdirSync(tarballs).map((file) => [
    file.startsWith('holdfast-cli-') ? '@holdfast/cli' : 'holdfast',
    join(tarballs, file),
  ]),
);

/** @param {string} command */
function withTarballs(command) {
  if (!command.startsWith('npm install')) return command;
  return command
    .split(' ')
    .map((word) => packed.get(word) ?? word)
    .join(' ');
}

/** @param {string} command */
function run(command) {
  const { stdout, stderr, status } = spawnSync('bash', ['-c', withTarballs(command)], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, npm_config_loglevel: 'error', npm_config_audit: 'false', npm_config_fund: 'false' },
  });
  console.error(`$ ${command}\n${stdout}`);
  if (status !== 0) fail(`"${command}" exited with ${status}.\n${stderr}`);
  return stdout;
}

/** @param {string} what */
function fail(what) {
  console.error(`newcomer: ${what}`);
  process.exit(1);
}

let printed = '';
let checks = 0;
for (const [, language, text = ''] of blocks) {
  if (language === 'ts') {
    const name = /^\/\/ ([\w-]+\.mts)\n/.exec(text)?.[1];
    if (name === undefined) fail(`a block of code does not begin with the name of its file:\n${text}`);
    else writeFileSync(name, text);
  } else if (language === 'sh') {
    const commands = text.trimEnd().split('\n');
    printed = commands.map((command) => run(command)).join('');
  } else if (language === 'text') {
    checks += 1;
    // What installing prints is npm's.
    if (!printed.endsWith(text)) fail(`expected\n${text}\nand got\n${printed}`);
  }
}
if (checks === 0) fail(`${page} says nothing about what its commands print.`);
