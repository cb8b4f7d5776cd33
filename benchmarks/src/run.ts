// npm run bench -- NAME [--json]
import { parseArgs } from 'node:util';
import { commit } from './commit.ts';
import { delta } from './delta.ts';
import { memoryStore } from './memory-store.ts';
import { reopen } from './reopen.ts';
import { meetsGoal, type Report, toLines } from './report.ts';
import { runs } from './runs.ts';

const benchmarks = new Map<string, () => Promise<Report>>([
  ['commit', commit],
  ['delta', delta],
  ['memory-store', memoryStore],
  ['reopen', reopen],
  ['runs', runs],
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
