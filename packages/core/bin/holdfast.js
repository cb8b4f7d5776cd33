#!/usr/bin/env node
// The command line is a package of its own, so that who only imports the library installs no compiler and no prompts.
// `npx holdfast` finds this file where only the library is installed, and continues to the command line where that is.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the command line, seen from where this program was called or is. Never from the working directory. */
function findCli() {
  for (const from of [process.argv[1] ?? import.meta.url, import.meta.url]) {
    try {
      return dirname(createRequire(from).resolve('@holdfast/cli/package.json'));
    } catch {
      // Not from there.
    }
  }
  return undefined;
}

const cli = findCli();
if (cli === undefined) {
  console.error('holdfast: The command line is a package of its own. Install it: npm i -D @holdfast/cli');
  process.exitCode = 2;
} else {
  await import(pathToFileURL(join(cli, 'bin/holdfast.js')).href);
}
