// Reads many pages, at most four at a time. A page that cannot be read costs nothing but itself.
import { channel, graph, list, openEngine } from 'holdfast';
import { z } from 'zod';
import { readPage } from './services/world.ts';

const digest = graph('digest', { state: { urls: z.array(z.string()), pages: list<string>(), text: channel<string>() } })
  .each(
    'read',
    ({ urls }) => urls,
    async (url, { step }) => ({ pages: await step('get', () => readPage(url), { retry: 2, timeout: '10s' }) }),
    { concurrency: 4, catch: (_error, url) => ({ pages: `no ${url}` }) },
  )
  .node('join', ({ state }) => ({ text: state.pages.join(', ') }))
  .edge('start', 'read')
  .edge('read', 'join')
  .edge('join', 'end')
  .compile();
const engine = await openEngine('memory:');
console.log((await engine.start(digest, { urls: ['/1', '/2', '/404', '/3', '/4', '/5'] }).result()).text);
await engine.close();
