import { answerOf } from '../guard/answers.ts';
import { jsonText } from '../json/text.ts';
import { openApiOf } from '../openapi/document.ts';
import { nothing } from '../schema/common.ts';
import { askRoutes } from './asks.ts';
import { checkpointRoutes } from './checkpoints.ts';
import { commandRoutes } from './commands.ts';
import { eventRoutes } from './events.ts';
import { forkPreviewRoutes } from './fork-preview.ts';
import { graphCheckRoutes } from './graph-check.ts';
import { healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import { importRoutes } from './import.ts';
import { journalRoutes } from './journal.ts';
import { type Route, route } from './route.ts';
import { oneRunRoutes } from './run.ts';
import { runRoutes } from './runs.ts';
import { startRoutes } from './start.ts';
import { storeRoutes } from './store.ts';
import { timelineRoutes } from './timeline.ts';

const own: readonly Route[] = [
  ...storeRoutes,
  ...runRoutes,
  ...startRoutes,
  ...oneRunRoutes,
  ...timelineRoutes,
  ...checkpointRoutes,
  ...historyRoutes,
  ...journalRoutes,
  ...eventRoutes,
  ...askRoutes,
  ...forkPreviewRoutes,
  ...graphCheckRoutes,
  ...commandRoutes,
  ...importRoutes,
  ...healthRoutes,
];

const document = route({
  id: 'getOpenApi',
  method: 'get',
  path: '/openapi.json',
  summary: 'This document. Needs no token.',
  access: 'public',
  params: nothing,
  query: nothing,
  response: 'application/json',
  handle: async () => answerOf(documentText(), 'application/json; charset=utf-8'),
});

/** Every route. Names come before parameters, so that `/runs/count` is no run. */
export const routes: readonly Route[] = [...own, document];

let made: string | undefined;

/** Made once, when somebody asks for it. */
function documentText(): string {
  made ??= jsonText(openApiOf(routes));
  return made;
}
