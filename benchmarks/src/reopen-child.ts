// Opens the store at an address, reads one run, and tells what it cost: run by reopen.ts.

import { storeAt } from '../../packages/core/src/engine/store-at.ts';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { openStore } from '../../packages/core/src/store/store.ts';

/** What it cost to open a store and read one run of it. */
export interface Reopened {
  readonly ms: number;
  readonly bytes: number;
}

const [url = '', runId = '', stays] = process.argv.slice(2);
const place = await storeAt(url);
globalThis.gc?.();
const idle = process.memoryUsage().rss;
const startedAt = performance.now();
const store = await openStore(place, nodeEnv);
let read = 0;
for (let after = 0; ; ) {
  const page = await store.records({ runId, after, order: 'oldest', limit: 1_000 });
  read += page.length;
  after = page.at(-1)?.seq ?? after;
  if (page.length < 1_000) break;
}
const ms = performance.now() - startedAt;
const bytes = process.memoryUsage().rss - idle;
if (read < 1_000) throw new Error(`only ${read} records were read`);
process.send?.({ ms, bytes } satisfies Reopened);
// Until it is killed, where that is what is asked for.
if (stays !== undefined) setInterval(() => {}, 1_000);
else await store.close();
