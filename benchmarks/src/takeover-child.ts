// A worker with default settings, until SIGTERM: run by takeover.ts.

import { openEngine, type StoreUrl } from 'holdfast';
import { tickingLoop } from './ticking-loop.ts';

const [url = ''] = process.argv.slice(2);
const engine = await openEngine(url as StoreUrl, { graphs: [tickingLoop] });
const worker = engine.work({ signals: true });
process.send?.('ready');
await worker.done;
await engine.close();
process.disconnect();
