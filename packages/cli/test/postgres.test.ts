// Every command on a Postgres store, by the real binary. The URL has a password, which nothing may print.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql, testServer } from '../../../test/postgres-schema.ts';
import { publicCommands } from '../src/program/commands.ts';
import { type Bench, type Done, openBench } from './bench.ts';

const password = 'hunter2-p@ss';
let bench: Bench;
/** Not one that tests share: the first command finds no store. */
const schema = `commands_${process.pid}`;
let store = '';

beforeAll(async () => {
  bench = openBench();
  store = await urlFor('postgres');
});
afterAll(async () => {
  bench.close();
  await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
});

/** The store, with the password of a user. The server for tests asks nobody else for one. */
async function urlFor(user: string): Promise<string> {
  const { host, pathname } = new URL(await testServer());
  return `postgres://${user}:${encodeURIComponent(password)}@${host}${pathname}?schema=${schema}`;
}

async function run(args: readonly string[], url: string = store): Promise<Done> {
  const done = await bench.run([...args, '--debug'], { env: { HOLDFAST_STORE: url } });
  expectNoPassword(done);
  return done;
}

function expectNoPassword({ stdout, stderr }: Pick<Done, 'stdout' | 'stderr'>): void {
  expect(stdout + stderr).not.toContain(password);
  expect(stdout + stderr).not.toContain(encodeURIComponent(password));
}

interface Line {
  readonly args: readonly string[];
  readonly code?: number;
  readonly prints?: RegExp;
}

/** In this order: each builds on those before it. */
const lines: readonly Line[] = [
  { args: ['runs'], code: 4, prints: /No store at postgres:\/\/postgres:\*\*\*@/u },
  { args: ['migrate'], prints: /is up to date/u },
  { args: ['run', 'refunds', 'order=ord_1', 'cents=5', '--id', 'ord_1'], code: 3, prints: /'ord_1'/u },
  { args: ['submit', 'mailbox', '--id', 'mail'], prints: /mail/u },
  { args: ['recover'], prints: /mail/u },
  { args: ['send', 'mail', 'mail', '{"text":"hi"}'] },
  { args: ['runs', 'status:waiting', '--jsonl'], prints: /"id":"ord_1"/u },
  { args: ['show', 'ord_1'], prints: /Refund 5\?/u },
  { args: ['asks'], prints: /ord_1/u },
  { args: ['answer', 'ord_1', 'approval', 'ok=true', '--by', 'ada'] },
  { args: ['recover'], prints: /ord_1 +refunds +completed/u },
  { args: ['log', 'ord_1'], prints: /approve/u },
  { args: ['state', 'ord_1'], prints: /receipt of ord_1/u },
  { args: ['diff', 'ord_1@2', '@5'], prints: /approved/u },
  { args: ['journal', 'ord_1'], prints: /answer/u },
  { args: ['watch', 'ord_1'], prints: /completed/u },
  { args: ['fork', 'ord_1@2', '--id', 'again'], prints: /again/u },
  { args: ['resume', 'again'] },
  { args: ['cancel', 'again', '--reason', 'no'] },
  { args: ['settle', 'ord_1', 'refund/pay', '--retry'], code: 4 },
  { args: ['check'] },
  { args: ['graph'], prints: /refunds/u },
  { args: ['prune', '--keep', '1'], prints: /./u },
  { args: ['verify'], prints: /^ok: \d+ records/u },
  { args: ['export', 'ord_1', '-o', 'ord_1.jsonl'], prints: /wrote ord_1\.jsonl/u },
  { args: ['import', 'ord_1.jsonl', '--id', 'copy'], prints: /copy/u },
  { args: ['promote', 'STORE', 'sqlite:moved.db'], prints: /0 already identical/u },
  { args: ['promote', 'sqlite:moved.db', 'STORE'], prints: /0 copied/u },
  { args: ['backup', 'copy.db'], code: 2, prints: /pg_dump/u },
  { args: ['doctor'], code: 1, prints: /Postgres \d+.*UTF8[\s\S]*may use and migrate[\s\S]*fsync off[\s\S]*direct/u },
];

/** These go on until they are stopped, and have tests of their own below. */
const stopped = ['dev', 'serve', 'studio', 'work'];
/** These have nothing to do with the store of the project. */
const without = ['completion', 'demo', 'init'];

describe.sequential('every command on Postgres', () => {
  test('has its line here', () => {
    const named = [...lines.map(({ args: [name] }) => name), ...stopped, ...without];
    expect(new Set(named)).toEqual(new Set(publicCommands().map(({ name }) => name)));
  });

  test.each(lines)('$args', async ({ args, code = 0, prints = /(?:)/u }) => {
    const done = await run(args.map((arg) => (arg === 'STORE' ? store : arg)));
    expect({ code: done.code, text: done.stdout + done.stderr }).toEqual({ code, text: expect.stringMatching(prints) });
  });

  test.each([
    { args: ['work'], says: /Working on .*postgres:\/\/postgres:\*\*\*@/u },
    { args: ['serve', '--port', '0'], says: /Serving postgres:\/\/postgres:\*\*\*@/u },
    { args: ['studio'], says: /studio of postgres:\/\/postgres:\*\*\*@/u },
    { args: ['dev'], says: / in postgres:\/\/postgres:\*\*\*@/u },
  ])('$args until it is stopped', async ({ args, says }) => {
    const { child, printed, done } = bench.start([...args, '--debug', '--store', store]);
    await printed(says);
    child.kill('SIGINT');
    const ended = await done;
    expectNoPassword(ended);
    expect(ended.code).toBe(130);
  });

  test('a hint names the store without its password', async () => {
    const { stderr } = await run(['run', 'refunds', 'order=o', 'cents=1', '--store', store]);
    expect(stderr).toMatch(/holdfast answer .*--store 'postgres:\/\/postgres:\*\*\*@/u);
  });
});

/** A role that can log in; its rights go with it. */
async function role(name: string, ...grants: readonly string[]): Promise<string> {
  await sql(`DROP ROLE IF EXISTS ${name}`);
  await sql(`CREATE ROLE ${name} LOGIN`);
  for (const grant of grants) await sql(grant);
  return urlFor(name);
}

async function drop(name: string): Promise<void> {
  await sql(`DROP OWNED BY ${name}`);
  await sql(`DROP ROLE ${name}`);
}

describe('a user of the server', () => {
  test('who may only use the tables works, and doctor says who migrates', async () => {
    const name = `program_${process.pid}`;
    await run(['migrate']);
    const url = await role(
      name,
      `GRANT USAGE ON SCHEMA "${schema}" TO ${name}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${name}`,
    );
    try {
      const id = ['--id', 'by-program'];
      expect(await run(['run', 'refunds', 'order=o', 'cents=1', ...id], url)).toMatchObject({ code: 3 });
      expect((await run(['doctor'], url)).stdout).toContain('migrations are for its owner');
    } finally {
      await drop(name);
    }
  });

  test('who may do nothing is told what is missing', async () => {
    const name = `stranger_${process.pid}`;
    await run(['migrate']);
    const url = await role(name, `GRANT USAGE ON SCHEMA "${schema}" TO ${name}`);
    try {
      const done = await run(['doctor'], url);
      expect(done).toMatchObject({ code: 1, stdout: expect.stringMatching(/may not use .*heads.*rows.*\n.*GRANT/u) });
    } finally {
      await drop(name);
    }
  });

  test('whose store is not there, and who may not create it, is sent to migrate', async () => {
    const name = `beginner_${process.pid}`;
    const url = (await role(name)).replace(schema, `absent_${process.pid}`);
    try {
      const done = await run(['run', 'refunds', 'order=o', 'cents=1'], url);
      expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining('holdfast migrate') });
      expect((await run(['doctor'], url)).stdout).toContain('holdfast migrate');
    } finally {
      await drop(name);
    }
  });
});

test('a server that is not there is told of without the password', async () => {
  const url = `postgres://ada:${encodeURIComponent(password)}@127.0.0.1:1/db`;
  for (const args of [['runs'], ['doctor'], ['run', 'refunds', 'order=o', 'cents=1'], ['work']]) {
    const ended = await bench.start([...args, '--debug', '--store', url]).done;
    expectNoPassword(ended);
    expect(ended.code).toBe(1);
  }
});
