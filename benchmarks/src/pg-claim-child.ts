// Claims due runs until there are none, and tells which: run by pg-claim.ts.
import { once } from 'node:events';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { postgresStoreAt } from '../../packages/core/src/store/postgres/url.ts';
import { openDriver } from '../../packages/core/src/store/store.ts';

const [url = '', limit = '16'] = process.argv.slice(2);
const driver = await openDriver(postgresStoreAt(url), nodeEnv);
process.send?.('ready');
await once(process, 'message');
const claimed: string[] = [];
const worker = `claimer-${process.pid}`;
const due = {
  type: 'due',
  worker,
  leaseMs: 600_000,
  graphs: [{ name: 'loop' }],
  limit: Number(limit),
  takeover: false,
} as const;
for (let found = 1, idle = 0; found > 0 || idle < 3; ) {
  found = (await driver.claim(due)).claimed.map(({ header }) => claimed.push(header.runId)).length;
  // Others may hold what is left at this moment.
  idle = found > 0 ? 0 : idle + 1;
}
process.send?.(claimed);
await driver.close();
process.disconnect();
