// npm run bench -- NAME [--json] [--record]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { bytes } from './bytes.ts';
import { commit } from './commit.ts';
import { delta } from './delta.ts';
import { flat } from './flat.ts';
import { fork } from './fork.ts';
import { history } from './history.ts';
import { httpPages } from './http-pages.ts';
import { loops } from './loops.ts';
import { memory } from './memory.ts';
import { memoryStore } from './memory-store.ts';
import { messages } from './messages.ts';
import { pg1 } from './postgres/pg-1.ts';
import { pg64 } from './postgres/pg-64.ts';
import { pgBytes } from './postgres/pg-bytes.ts';
import { pgClaim } from './postgres/pg-claim.ts';
import { pgHttpPages } from './postgres/pg-http-pages.ts';
import { pgIdle } from './postgres/pg-idle.ts';
import { prune } from './prune.ts';
import { record } from './record.ts';
import { recover } from './recover.ts';
import { reopen } from './reopen.ts';
import { meetsGoal, type Report, toLines } from './report.ts';
import { runs } from './runs.ts';
import { startup } from './startup.ts';
import { step1 } from './step-1.ts';
import { step64 } from './step-64.ts';
import { takeover } from './takeover.ts';

const benchmarks = new Map<string, () => Promise<Report>>([
  ['bytes', bytes],
  ['commit', commit],
  ['delta', delta],
  ['flat', flat],
  ['fork', fork],
  ['history', history],
  ['http-pages', httpPages],
  ['loops', loops],
  ['memory', memory],
  ['memory-store', memoryStore],
  ['messages', messages],
  ['pg-1', pg1],
  ['pg-64', pg64],
  ['pg-bytes', pgBytes],
  ['pg-claim', pgClaim],
  ['pg-http-pages', pgHttpPages],
  ['pg-idle', pgIdle],
  ['prune', prune],
  ['recover', recover],
  ['reopen', reopen],
  ['runs', runs],
  ['startup', startup],
  ['step-1', step1],
  ['step-64', step64],
  ['takeover', takeover],
]);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, record: { type: 'boolean' } },
});
const [name = ''] = positionals;
const benchmark = benchmarks.get(name);
if (benchmark === undefined) {
  console.error(`Usage: npm run bench -- NAME [--json] [--record]. Benchmarks: ${[...benchmarks.keys()].join(', ')}.`);
  process.exitCode = 2;
} else {
  // What else the machine does shows in every figure, and most in those of the disk.
  const [load = 0] = loadavg();
  const measured = await benchmark();
  const report: Report = { ...measured, settings: { ...measured.settings, 'load before': load.toFixed(1) } };
  if (values.json) console.log(JSON.stringify({ schema: 'holdfast.bench/1', name, ...report }));
  else for (const line of toLines(report)) console.log(line);
  if (values.record) record(name, report);
  if (!report.figures.every(meetsGoal)) process.exitCode = 1;
}
