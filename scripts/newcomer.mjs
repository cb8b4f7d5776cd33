// @ts-check
// Follows a page in the current directory: writes its files, runs its commands, and compares what they print.
//   node scripts/newcomer.mjs PAGE FOLDER_OF_TARBALLS [HEADING]    from this heading on
//   … --plain                                                      with `node` where the page says `npx tsx`
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const packages = join(import.meta.dirname, '../packages');
const { positionals, values } = parseArgs({ allowPositionals: true, options: { plain: { type: 'boolean' } } });
const [page = '', tarballs = '', heading = ''] = positionals;
const pageText = readFileSync(page, 'utf8');
if (!pageText.includes(heading)) fail(`${page} has no heading "${heading}".`);
const blocks = [...pageText.slice(pageText.indexOf(heading)).matchAll(/^```(\w+)\n(.*?)^```$/gms)];

/** Our packages by name: none is published yet. */
const manifests = new Map(
  readdirSync(packages).map((folder) => {
    /** @type {{ name: string, version: string, dependencies?: Record<string, string> }} */
    const manifest = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8'));
    return [manifest.name, manifest];
  }),
);
/** @type {Set<string>} */
const installed = new Set();

/** The tarballs of a package of ours and of what it depends on, which npm would look for in the registry. @param {string} name */
function tarballsOf(name) {
  const manifest = manifests.get(name);
  if (manifest === undefined || installed.has(name)) return [];
  installed.add(name);
  const file = `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
  /** @type {string[]} */
  const others = Object.keys(manifest.dependencies ?? {}).flatMap(tarballsOf);
  return [join(tarballs, file), ...others];
}

/** A command, with tarballs for what is not published yet, and nothing for what another Node needs. @param {string} command */
function asMeant(command) {
  if (/# only on Node 20\b/.test(command) && !process.version.startsWith('v20.')) return ': not on this Node';
  if (command.startsWith('npx tsx') && values.plain === true) return command.replace('npx tsx', 'node');
  if (!command.startsWith('npm install')) return command;
  return command
    .split(' ')
    .flatMap((word) => (manifests.has(word) ? tarballsOf(word) : word))
    .join(' ');
}

/** @param {string} command */
function run(command) {
  const meant = asMeant(command);
  const { stdout, stderr, status } = spawnSync('bash', ['-c', meant], {
    encoding: 'utf8',
    timeout: 600_000,
    env: { ...process.env, npm_config_loglevel: 'error', npm_config_audit: 'false', npm_config_fund: 'false' },
  });
  console.error(`$ ${meant}\n${stdout}`);
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
