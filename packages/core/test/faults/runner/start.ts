// npm run test:faults, npm run test:long. Copies the compiled code away and runs the copy: somebody may compile again
// while it runs, and results belong to one state of the code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEnd } from './clean-up.ts';

const compiled = fileURLToPath(new URL('../../../', import.meta.url));
const copy = join('node_modules', '.cache', 'holdfast-faults', `code-${process.pid}`);
onEnd(() => rmSync(copy, { recursive: true, force: true }));
cpSync(compiled, copy, { recursive: true, filter: (source) => !source.endsWith('.map') });
writeFileSync(join(copy, 'package.json'), JSON.stringify({ type: 'module' }));

const main = join(copy, 'test', 'faults', 'runner', 'main.js');
const child = spawn(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
onEnd(() => child.kill('SIGTERM'));
const [code] = (await once(child, 'close')) as [number | null];
process.exit(code ?? 1);
