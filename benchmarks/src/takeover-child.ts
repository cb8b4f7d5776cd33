// A worker with default settings, until SIGTERM: run by takeover.ts.

import { openEngine, type StoreUrl } from 'holdfast';
import { tickingLoop } from './ticking-loop.ts';

const [url = ''] = process.argv.slice(2);
const engine = await openEngine(url as StoreUrl, { graphs: [tickingLoop] });
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
process.send?.('ready');
await engine.work({ signal: stop.signal });
await engine.close();
process.disconnect();
