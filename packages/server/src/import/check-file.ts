import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a process that checks a file may use. */
interface CheckLimits {
  readonly importMs: number;
  readonly importHeapMegabytes: number;
}

/** What the check found. `killed`: it needed more memory or time than it may. */
export type Checked =
  | { readonly type: 'fine' }
  | { readonly type: 'refused'; readonly code: string; readonly message: string }
  | { readonly type: 'killed' };

/** Imports the file into an empty store in memory: everything that an import checks is checked, and nothing is kept. */
const program = `
import { createReadStream } from 'node:fs';
import { HoldfastError, openEngine } from 'holdfast';
const engine = await openEngine('memory:', { executes: false, log: 'silent' });
try {
  await engine.import(createReadStream(process.argv[1]));
  console.log(JSON.stringify({ type: 'fine' }));
} catch (error) {
  if (!HoldfastError.is(error)) throw error;
  console.log(JSON.stringify({ type: 'refused', code: error.code, message: error.message }));
}
process.exit(0);
`;

/** Checks an exported file in a process of its own, which can be killed, knows no secret and opens no store. */
export async function checkFile(path: string, { importMs, importHeapMegabytes }: CheckLimits): Promise<Checked> {
  const args = [`--max-old-space-size=${importHeapMegabytes}`, '--input-type=module', '--eval', program, path];
  const child = spawn(process.execPath, args, {
    // Where `holdfast` is found as this file finds it.
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: importMs,
    killSignal: 'SIGKILL',
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (told.length < maxTold) told += part;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? (JSON.parse(told) as Checked) : { type: 'killed' };
}

/** Longer than any message of ours. */
const maxTold = 100_000;
