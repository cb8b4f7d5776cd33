import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CliError } from '../../failure/cli-error.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { shellWord } from '../../program/paste.ts';

const sample = `import { channel, graph, list } from 'holdfast';
import { z } from 'zod';

export const refunds = graph('refunds', {
  state: { order: z.string(), cents: z.int(), approved: channel<boolean>(), log: list<string>() },
  asks: { approval: { show: z.object({ text: z.string() }), answer: z.object({ ok: z.boolean() }) } },
})
  .node('check', ({ state }) => ({ log: \`checked \${state.order}\` }))
  .node('approve', async ({ state, ask }) => {
    const answer = await ask('approval', { text: \`Refund €\${state.cents / 100}?\` }, { timeout: '7d' });
    return { approved: answer?.ok ?? false };
  })
  .node('refund', async ({ state, step }) => {
    // 'once' records an intent first, so a crash in the middle is never mistaken for "not done yet".
    const receipt = await step('pay', async () => \`receipt of \${state.order}\`, { effect: 'once' });
    return { log: receipt };
  })
  .edge('start', 'check')
  .edge('check', 'approve')
  .route('approve', ['refund', 'end'], (state) => (state.approved ? 'refund' : 'end'))
  .edge('refund', 'end')
  .compile();
`;

type Manifest = Record<string, unknown>;

/** `holdfast init`. Never overwrites a file. */
export const init: CommandFn<object> = async ({ out, cwd, paste }, [folder = '.']) => {
  const root = resolve(cwd, folder);
  mkdirSync(root, { recursive: true });
  const graphFile = join(root, 'refunds.ts');
  const manifestFile = join(root, 'package.json');
  const manifest = readManifest(manifestFile) ?? { name: basename(root), private: true, type: 'module' };
  const written: string[] = [];
  if (existsSync(graphFile)) {
    throw CliError.conflict(`${graphFile} already exists. Choose another folder: ${paste('init FOLDER')}`);
  }
  create(graphFile, sample);
  written.push('refunds.ts');
  if (manifest['holdfast'] === undefined) {
    const settings = { store: 'sqlite:.holdfast/holdfast.db', graphs: ['refunds.ts'] };
    const text = `${JSON.stringify({ ...manifest, holdfast: settings }, null, 2)}\n`;
    if (existsSync(manifestFile)) writeFileSync(manifestFile, text);
    else create(manifestFile, text);
    written.push('package.json');
  }
  if (ignoreStore(join(root, '.gitignore'))) written.push('.gitignore');
  out.result('init', { folder: root, written }, () => written.map((file) => `wrote ${join(folder, file)}`));
  const missing = ['holdfast', 'zod'].filter((name) => !existsSync(join(root, 'node_modules', name)));
  if (missing.length > 0) out.hint(`Next: npm i ${missing.join(' ')}`);
  const here = folder === '.' ? '' : `cd ${shellWord(folder)}, `;
  const submit = paste('submit refunds order=ord_81 cents=12000');
  out.hint(`Then ${here}run ${paste('dev')}, and in another terminal: ${submit}`);
  return 0;
};

/** Creates a file. A link that leads nowhere is not followed: somebody else may have put it there. */
function create(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw CliError.conflict(`${file} is a link that leads nowhere. Remove it, or choose another folder.`);
  }
}

/** Keeps the store out of git. False if .gitignore already does. */
function ignoreStore(file: string): boolean {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (/^\/?\.holdfast\/?\s*$/mu.test(text)) return false;
  const line = '.holdfast/\n';
  if (existsSync(file)) appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}`);
  else create(file, line);
  return true;
}

function readManifest(file: string): Manifest | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    throw CliError.usage(`${file} is not valid JSON. Fix it first: ${(error as Error).message}`, { cause: error });
  }
}
