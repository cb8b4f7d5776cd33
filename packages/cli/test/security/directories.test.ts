// Settings and code come from the project that holds the working directory, and from nobody but this user and root.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicCommands } from '../../src/program/commands.ts';
import { type Bench, type Done, openBench } from '../bench.ts';

const nobody = 65_534;
const isRoot = process.geteuid?.() === 0;
const notRoot = isRoot ? '' : ' (left out: only root can give a file to another user)';
const noOwners = process.platform === 'win32' ? ' (left out: files have no such owners)' : '';

let bench: Bench;
let count = 0;
/** A project with settings, and a folder in it. */
let folder: string;
let inner: string;
let manifest: string;
/** Exists once the code of the project has been executed. */
let canary: string;
beforeAll(async () => {
  bench = openBench();
  await bench.run(['run', 'refunds', 'order=ord_1', 'cents=1', '--id', 'ord_1']);
});
afterAll(() => bench.close());

beforeEach(() => {
  count += 1;
  folder = join(bench.folder, `case-${count}`);
  inner = join(folder, 'inner');
  manifest = join(folder, 'package.json');
  canary = join(folder, 'executed');
  mkdirSync(inner, { recursive: true });
  const store = `sqlite:${join(bench.folder, '.holdfast/holdfast.db')}`;
  writeFileSync(manifest, JSON.stringify({ holdfast: { store, graphs: ['evil.ts'] } }));
  writeFileSync(
    join(folder, 'evil.ts'),
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(canary)}, '');\nexport * from '../graphs.ts';\n`,
  );
});

const within = (...args: readonly string[]): Promise<Done> => bench.run(args, { cwd: inner });
const isExecuted = (): boolean => existsSync(canary);

interface Refusal {
  readonly codes: readonly (number | null)[];
  readonly why: readonly (string | undefined)[];
  readonly isExecuted: boolean;
}

/** What becomes of a command that needs the store of the settings, and of one that needs their code. */
async function refusal(): Promise<Refusal> {
  const done = [await within('runs'), await within('graph')];
  const why = done.map(({ stderr }) => stderr.split(`Refusing the settings in ${manifest}: `)[1]?.split('. If you')[0]);
  return { codes: done.map(({ code }) => code), why, isExecuted: isExecuted() };
}

function because(why: string): Refusal {
  return { codes: [2, 2], why: [why, why], isExecuted: false };
}

async function expectUsed(): Promise<void> {
  expect((await within('runs')).stdout).toContain('ord_1');
  expect(await within('graph', 'refunds')).toMatchObject({ code: 0 });
  expect(isExecuted()).toBe(true);
}

describe('settings', () => {
  test('come from the nearest package.json, and --debug says so', async () => {
    await expectUsed();
    const { stderr } = await within('graph', 'refunds', '--debug');
    expect(stderr).toContain(`debug: graphs ${join(folder, 'evil.ts')}, chosen by ${manifest}\n`);
    const named = await within('runs', '--store', 'sqlite:../../.holdfast/holdfast.db', '--debug');
    expect(named.stderr).toBe(
      `debug: store sqlite:${join(bench.folder, '.holdfast/holdfast.db')}, chosen by --store\n`,
    );
  });

  test('do not come from a package.json above the nearest one', async () => {
    writeFileSync(join(inner, 'package.json'), '{ "name": "a project of its own" }');
    const [runs, graph] = [await within('runs', '--debug'), await within('graph')];
    expect(runs.stderr).toContain(`debug: store sqlite:${join(inner, '.holdfast/holdfast.db')}, chosen by default`);
    expect(graph).toMatchObject({ code: 2, stderr: expect.stringContaining('This command needs your graphs.') });
    expect(isExecuted()).toBe(false);
  });

  test.skipIf(!isRoot)(`are refused if another user owns the package.json${notRoot}`, async () => {
    chownSync(manifest, nobody, nobody);
    expect(await refusal()).toEqual(because(`${manifest} belongs to another user`));
  });

  test.skipIf(!isRoot)(`are refused if another user owns a folder above${notRoot}`, async () => {
    chownSync(folder, nobody, nobody);
    expect(await refusal()).toEqual(because(`${folder} belongs to another user`));
  });

  test.skipIf(!isRoot)(`are refused if another user linked to them${notRoot}`, async () => {
    renameSync(manifest, join(inner, 'ours.json'));
    symlinkSync(join(inner, 'ours.json'), manifest);
    lchownSync(manifest, nobody, nobody);
    expect(await refusal()).toEqual(because(`${manifest} belongs to another user`));
  });

  test.skipIf(!isRoot)(`are refused if they lead to a file of another user${notRoot}`, async () => {
    const theirs = join(inner, 'theirs');
    mkdirSync(theirs);
    renameSync(manifest, join(theirs, 'settings.json'));
    symlinkSync(join(theirs, 'settings.json'), manifest);
    chownSync(theirs, nobody, nobody);
    expect(await refusal()).toEqual(because(`${theirs} belongs to another user`));
  });

  test.skipIf(noOwners !== '')(
    `are refused where every user may write, unless the folder is sticky${noOwners}`,
    async () => {
      chmodSync(folder, 0o777);
      expect(await refusal()).toEqual(because(`every user may write to ${folder}`));
      chmodSync(folder, 0o1777);
      await expectUsed();
      chmodSync(manifest, 0o666);
      expect((await within('runs')).stderr).toContain(`every user may write to ${manifest}`);
    },
  );

  test.skipIf(!isRoot)(`that are refused do not stop who names the store and the files${notRoot}`, async () => {
    chownSync(manifest, nobody, nobody);
    const store = ['--store', `sqlite:${join(bench.folder, '.holdfast/holdfast.db')}`];
    expect((await within('runs', ...store)).stdout).toContain('ord_1');
    expect((await within('graph', 'refunds', '-g', '../../graphs.ts')).code).toBe(0);
    expect((await within('completion', 'bash')).code).toBe(0);
    const env = { HOLDFAST_STORE: store[1], HOLDFAST_GRAPHS: join(bench.folder, 'graphs.ts') };
    expect((await bench.run(['check'], { cwd: inner, env })).code).toBe(0);
    expect(isExecuted()).toBe(false);
  });
});

test('init does not write where a link in the folder leads', async () => {
  for (const name of ['refunds.ts', 'package.json', '.gitignore']) {
    const target = join(inner, `target of ${name}`);
    const fresh = join(inner, `fresh-${name}`);
    mkdirSync(fresh);
    symlinkSync(target, join(fresh, name));
    expect(await within('init', fresh)).toMatchObject({ code: 5, stderr: expect.stringContaining(join(fresh, name)) });
    expect(existsSync(target)).toBe(false);
  }
});

test.skipIf(noOwners !== '')(`a package.json without end is not read${noOwners}`, async () => {
  truncateSync(manifest, 2 ** 40);
  expect((await within('runs', '--debug')).stderr).toContain('chosen by default');
});

describe('code', () => {
  test.skipIf(!isRoot)(`is refused if another user owns it, even if our package.json names it${notRoot}`, async () => {
    chownSync(join(folder, 'evil.ts'), nobody, nobody);
    for (const args of [['graph'], ['check'], ['recover'], ['answer', 'ord_1', 'ok=true'], ['fork', 'ord_1']]) {
      const { code, stderr } = await within(...args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stderr).toContain(`Refusing the code in ${join(folder, 'evil.ts')}: `);
    }
    expect((await within('runs')).code).toBe(0);
    expect(isExecuted()).toBe(false);
  });

  test.skipIf(!isRoot)(`is not compiled into a node_modules of another user${notRoot}`, async () => {
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    chownSync(modules, nobody, nobody);
    expect((await within('graph', 'refunds')).code).toBe(0);
    expect(readdirSync(modules)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('.holdfast-load'))).toEqual([]);
  });

  test.skipIf(!isRoot)(`is not chosen by the tsconfig.json of another user in a folder above${notRoot}`, async () => {
    mkdirSync(join(bench.folder, 'shared'), { mode: 0o1777 });
    chmodSync(join(bench.folder, 'shared'), 0o1777);
    const project = join(bench.folder, 'shared/project');
    mkdirSync(project);
    writeFileSync(join(project, 'graphs.ts'), "export * from '@shop/graphs';\n");
    writeFileSync(join(project, 'package.json'), JSON.stringify({ holdfast: { graphs: ['graphs.ts'] } }));
    const settings = join(bench.folder, 'shared/tsconfig.json');
    const paths = { '@shop/graphs': [join(folder, 'evil.ts')] };
    writeFileSync(settings, JSON.stringify({ compilerOptions: { baseUrl: '.', paths } }));
    const graph = (): Promise<Done> => bench.run(['graph', 'refunds'], { cwd: project });
    // What nobody else wrote is used.
    expect(await graph()).toMatchObject({ code: 0 });
    expect(isExecuted()).toBe(true);
    rmSync(canary);
    chownSync(settings, nobody, nobody);
    expect(await graph()).toMatchObject({ code: 2, stderr: expect.stringContaining(`the code in ${settings}, which`) });
    expect(isExecuted()).toBe(false);
    writeFileSync(join(project, 'tsconfig.json'), '{}');
    const planted = join(bench.folder, 'shared/node_modules/@shop/graphs');
    mkdirSync(planted, { recursive: true });
    writeFileSync(
      join(planted, 'package.json'),
      '{ "name": "@shop/graphs", "type": "module", "exports": "./index.js" }',
    );
    writeFileSync(
      join(planted, 'index.js'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(canary)}, '');\n`,
    );
    chownSync(join(planted, 'index.js'), nobody, nobody);
    expect(await graph()).toMatchObject({ code: 2, stderr: expect.stringContaining(join(planted, 'index.js')) });
    expect(isExecuted()).toBe(false);
    rmSync(join(bench.folder, 'shared'), { recursive: true });
  });

  /** The commands that need the code, and those that validate values with it. */
  const executing = 'dev run submit work serve studio recover check graph answer send fork'.split(' ');
  /** Every other command, with arguments that make it do its work. */
  const others: Readonly<Record<string, readonly string[]>> = {
    demo: ['--json'],
    init: ['fresh'],
    doctor: [],
    completion: ['bash'],
    runs: [],
    show: ['ord_1'],
    watch: ['ord_1'],
    log: ['ord_1'],
    state: ['ord_1'],
    diff: ['ord_1@1', '@2'],
    journal: ['ord_1'],
    asks: [],
    settle: ['ord_1', 'key', '--retry'],
    resume: ['ord_1'],
    cancel: ['ord_1'],
    prune: ['--keep', '1'],
    verify: [],
    export: ['ord_1'],
    import: ['-'],
    backup: ['backup.db'],
    migrate: [],
    promote: ['sqlite:../../.holdfast/holdfast.db', 'sqlite:copy.db'],
  };

  test('is named by the table of commands', () => {
    const names = publicCommands().map(({ name }) => name);
    expect([...executing, ...Object.keys(others)].toSorted()).toEqual(names.toSorted());
  });

  test.each(Object.entries(others))('is not executed by %s', async (name, args) => {
    const { code, stderr } = await within(name, ...args);
    // Usage errors would prove nothing.
    expect({ code, stderr }).not.toMatchObject({ code: 2 });
    expect(isExecuted()).toBe(false);
  });
});

describe("core's program", () => {
  const program = fileURLToPath(new URL('../../../core/bin/holdfast.js', import.meta.url));

  test('does not load the command line from the working directory', () => {
    const planted = join(inner, 'node_modules/@holdfast/cli');
    mkdirSync(join(planted, 'bin'), { recursive: true });
    writeFileSync(join(planted, 'package.json'), '{ "name": "@holdfast/cli", "type": "module" }');
    writeFileSync(
      join(planted, 'bin/holdfast.js'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(canary)}, '');\n`,
    );
    const call = (file: string): Done => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--version'], {
        cwd: inner,
        env: bench.env,
        encoding: 'utf8',
      });
      return { code: status, stdout, stderr };
    };
    expect(call(program)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/u) });
    expect(isExecuted()).toBe(false);
    // Called from that project's own node_modules, it is that project's command line.
    mkdirSync(join(inner, 'node_modules/.bin'));
    symlinkSync(program, join(inner, 'node_modules/.bin/holdfast'));
    expect(call(join(inner, 'node_modules/.bin/holdfast')).code).toBe(0);
    expect(isExecuted()).toBe(true);
  });
});
