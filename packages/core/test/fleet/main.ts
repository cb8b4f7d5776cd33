// npm run test:fleet [-- --only server,workers] [--no-mutants] [--seed 4711]
import { jobs } from './jobs.ts';
import { runJobs } from './run-jobs.ts';

process.exit(await runJobs({ name: 'fleet', jobs, processes: 5, workers: 10, servers: 'Postgres 18' }));
