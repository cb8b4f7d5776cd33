// @ts-check
// No file of the repository names a path of the machine it was written on.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, sep } from 'node:path';

const root = process.cwd();
const here = [root, dirname(root), homedir()].filter(
  (path) => path.length > 1 && path !== tmpdir() && path !== dirname(path),
);
const anywhere = /(?<![\w.])\/(?:home|Users)\/[\w.-]+\/|\b[A-Z]:\\Users\\/;

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
})
  .split('\0')
  .filter((file) => file !== '' && statSync(file, { throwIfNoEntry: false })?.isFile() === true);

for (const file of files) {
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const named = here.find((path) => line.includes(path + sep)) ?? anywhere.exec(line)?.[0];
    if (named === undefined) continue;
    console.error(`${file}:${index + 1}: names a path of a machine: ${named}`);
    process.exitCode = 1;
  }
}
