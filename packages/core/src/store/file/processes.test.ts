import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleProgram } from '../../../test/program/bundle-program.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { CheckedStore } from '../checked-store.ts';
import { openFileDriver } from './open.ts';

/** Opens the store for writing when it is told to, says so, and says every seq that was acknowledged. */
const writer = `
import { openFileDriver } from './store/file/open.ts';
import { CheckedStore } from './store/checked-store.ts';
import { nodeEnv } from './env/node-env.ts';
console.log('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
try {
  const store = new CheckedStore(await openFileDriver({ dir: process.argv[2], env: nodeEnv }), nodeEnv);
  console.log('open');
  const commit = (expect, writer, header) => store.commit({
    runId: 'run', writer, expect, header, entries: [{ kind: 'note', at: 1, payload: 'x'.repeat(expect % 3000) }],
  });
  let head = (await store.header('run'))?.head ?? 0;
  if (head === 0) {
    const of = { kind: 'journal', graph: 'g', version: 1, forkedAt: null, parentId: null, createdAt: 1, worker: null };
    const header = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} };
    await commit(0, { by: 'creator', of }, header);
  }
  for (head = Math.max(1, head); ; head += 1) {
    const { ok } = await commit(head, { by: 'journal' }, {});
    console.log(ok ? 'acknowledged ' + (head + 1) : 'refused');
  }
} catch (error) {
  console.log('failed ' + error.code + ' ' + error.message);
}
process.exit();`;

/** A process that runs a script, and what it has said. */
class Script {
  readonly lines: string[] = [];
  readonly child: ChildProcess;
  #heard: () => void = () => {};

  constructor(path: string, dir: string) {
    this.child = spawn(process.execPath, [path, dir]);
    this.child.stderr?.on('data', (data: Buffer) => this.lines.push(`error ${data.toString()}`));
    createInterface({ input: this.child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.lines.push(line);
      this.#heard();
    });
  }

  /** Resolves when a line begins with one of these. */
  async says(...starts: readonly string[]): Promise<string> {
    for (;;) {
      const line = this.lines.find((each) => starts.some((start) => each.startsWith(start)));
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  /** Lets it open the store. */
  go(): void {
    this.child.stdin?.write('go\n');
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

let program: string;
let folder: string;
let dir: string;
let scripts: Script[];

beforeAll(async () => {
  program = await bundleProgram('file-writer', writer);
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-processes-'));
  dir = join(folder, 'store');
  scripts = [];
});

afterEach(async () => {
  await Promise.all(scripts.map((script) => script.kill()));
  await rm(folder, { recursive: true });
});

async function start(): Promise<Script> {
  const script = new Script(program, dir);
  scripts.push(script);
  await script.says('ready');
  return script;
}

async function headOf(): Promise<number> {
  const store = new CheckedStore(await openFileDriver({ dir, env: { ...nodeEnv, warn: () => {} } }), nodeEnv);
  const records = [];
  for (let head = 0; ; ) {
    const page = await store.records({ runId: 'run', after: head, order: 'oldest', limit: 500 });
    if (page.length === 0) break;
    records.push(...page);
    head = records.length;
  }
  await store.close();
  return records.length;
}

describe('a second process', () => {
  test('is refused while one writes, and told which', async () => {
    const first = await start();
    first.go();
    await first.says('open');
    const second = await start();
    second.go();
    expect(await second.says('failed', 'open')).toMatch(
      new RegExp(
        `^failed HOLDFAST_STORE_LOCKED The store .* has been open for writing in process ${first.child.pid} on .* since .*sqlite:`,
      ),
    );
    await expect(openFileDriver({ dir, env: nodeEnv })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_LOCKED',
      details: { pid: first.child.pid },
    });
  });

  test('reads while one writes', async () => {
    const first = await start();
    first.go();
    await first.says('acknowledged 5');
    const reader = new CheckedStore(await openFileDriver({ dir, env: nodeEnv, readOnly: true }), nodeEnv);
    let head = 0;
    for (let round = 0; round < 30; round += 1) {
      const header = await reader.header('run');
      expect(header?.head).toBeGreaterThanOrEqual(head);
      head = header?.head ?? 0;
      const [newest] = await reader.records({ runId: 'run', order: 'newest', limit: 1 });
      expect(newest?.seq).toBeGreaterThanOrEqual(head);
    }
    await reader.close();
  });
});

describe('a process that was killed', () => {
  test('loses nothing that was acknowledged, and leaves the store to the next one', async () => {
    let acknowledged = 1;
    for (let round = 0; round < 5; round += 1) {
      const script = await start();
      script.go();
      await script.says(`acknowledged ${acknowledged + 10}`, 'failed');
      await script.kill();
      acknowledged = Math.max(
        ...script.lines.filter((line) => line.startsWith('acknowledged')).map((line) => Number(line.split(' ')[1])),
      );
      expect(script.lines.some((line) => line.startsWith('failed') || line.startsWith('error'))).toBe(false);
      const head = await headOf();
      expect(head).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = head;
    }
  });

  test('leaves its lock to exactly one of several that come at once', async () => {
    const first = await start();
    first.go();
    await first.says('open');
    await first.kill();
    for (let round = 0; round < 3; round += 1) {
      const rivals = await Promise.all([start(), start(), start()]);
      for (const rival of rivals) rival.go();
      const answers = await Promise.all(rivals.map((rival) => rival.says('open', 'failed')));
      expect(answers.filter((answer) => answer === 'open').length).toBe(1);
      expect(answers.filter((answer) => answer.startsWith('failed HOLDFAST_STORE_LOCKED')).length).toBe(2);
      await Promise.all(rivals.map((rival) => rival.kill()));
    }
  });
});
