// npm run test:ha [-- --only primary,etcd] [--no-mutants] [--seed 4711]
import { execFileSync } from 'node:child_process';
import { runJobs } from '../run-jobs.ts';
import { haJobs, partitionJobs } from './ha-jobs.ts';
import { missingParts, postgresBin } from './missing.ts';
import { partitionsRefused } from './network.ts';

const missing = missingParts();
if (missing.length > 0) {
  console.error(`npm run test:ha needs what this machine does not have:\n  ${missing.join('\n  ')}`);
  process.exit(2);
}
const refused = partitionsRefused();
const version = execFileSync(`${postgresBin()}/postgres`, ['--version'], { encoding: 'utf8' }).match(/\d+\.\d+/u)?.[0];
process.exit(
  await runJobs({
    name: 'ha',
    jobs: refused === undefined ? { ...haJobs, ...partitionJobs } : haJobs,
    processes: 4,
    workers: 6,
    servers: `three Postgres ${version} under Patroni, three etcd, haproxy`,
    leftOut: refused === undefined ? [] : [`${Object.keys(partitionJobs).join(', ')}: ${refused}`],
  }),
);
