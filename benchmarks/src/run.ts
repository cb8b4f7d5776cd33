// npm run bench -- NAME [--json]
import { parseArgs } from 'node:util';
import { delta } from './delta.ts';
import { memoryStore } from './memory-store.ts';
import { meetsGoal, type Report, toLines } from './report.ts';

const benchmarks = new Map<string, () => Promise<Report>>([
  ['delta', delta],
  ['memory-store', memoryStore],
]);

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const [name = ''] = positionals;
const benchmark = benchmarks.get(name);
if (benchmark === undefined) {
  console.error(`Usage: npm run bench -- NAME [--json]. Benchmarks: ${[...benchmarks.keys()].join(', ')}.`);
  process.exitCode = 2;
} else {
  const report = await benchmark();
  if (values.json) console.log(JSON.stringify({ schema: 'holdfast.bench/1', name, ...report }));
  else for (const line of toLines(report)) console.log(line);
  if (!report.figures.every(meetsGoal)) process.exitCode = 1;
}
