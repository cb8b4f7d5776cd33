import { answerOf } from '../guard/answers.ts';
import { jsonText } from '../json/text.ts';
import { openApiOf } from '../openapi/document.ts';
import { nothing } from '../schema/common.ts';
import { askRoutes } from './list/asks.ts';
import { runRoutes } from './list/runs.ts';
import { type Route, route } from './route.ts';
import { checkpointRoutes } from './run/checkpoints.ts';
import { commandRoutes } from './run/commands.ts';
import { eventRoutes } from './run/events.ts';
import { forkPreviewRoutes } from './run/fork-preview.ts';
import { historyRoutes } from './run/history.ts';
import { journalRoutes } from './run/journal.ts';
import { oneRunRoutes } from './run/run.ts';
import { startRoutes } from './run/start.ts';
import { timelineRoutes } from './run/timeline.ts';
import { graphCheckRoutes } from './store/graph-check.ts';
import { healthRoutes } from './store/health.ts';
import { importRoutes } from './store/import.ts';
import { storeRoutes } from './store/store.ts';

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
