import { ApiError } from '../../api-error.ts';
import { answerOf, jsonAnswer } from '../../guard/answers.ts';
import { nothing } from '../../schema/common.ts';
import { healthSchema } from '../../schema/look.ts';
import { countAsks } from '../list/asks.ts';
import { countRuns } from '../list/runs.ts';
import { type Call, type Route, route } from '../route.ts';

const health = route({
  id: 'getHealth',
  method: 'get',
  path: '/health',
  summary: 'Whether the server and its store answer. Needs no token.',
  access: 'public',
  params: nothing,
  query: nothing,
  response: healthSchema,
  unavailable: healthSchema,
  async handle({ engine }) {
    try {
      await engine.runs({ limit: 1 }).first();
      return { status: 'ok' as const };
    } catch {
      return jsonAnswer({ status: 'unavailable' }, 503);
    }
  },
});

const metrics = route({
  id: 'getMetrics',
  method: 'get',
  path: '/metrics',
  summary: 'Numbers for Prometheus. Counts end at 1,000 runs per status.',
  access: 'read',
  params: nothing,
  query: nothing,
  response: 'text/plain; version=0.0.4; charset=utf-8',
  async handle(call) {
    if (call.scope.isBound)
      throw new ApiError(403, 'HTTP_FORBIDDEN', 'Metrics are about all runs. You may not see all of them.');
    return answerOf(await metricsText(call), 'text/plain; version=0.0.4; charset=utf-8');
  },
});

const statuses = ['pending', 'running', 'waiting', 'suspended', 'completed', 'failed', 'cancelled'];

async function metricsText(call: Call): Promise<string> {
  const lines = ['# HELP holdfast_runs Runs by status, at most 1000.', '# TYPE holdfast_runs gauge'];
  for (const status of statuses)
    lines.push(`holdfast_runs{status="${status}"} ${(await countRuns(call, `status:${status}`)).count}`);
  lines.push(
    '# HELP holdfast_open_asks Open questions, at most 100.',
    '# TYPE holdfast_open_asks gauge',
    `holdfast_open_asks ${(await countAsks(call)).count}`,
    '# HELP holdfast_event_streams Event streams that are open here.',
    '# TYPE holdfast_event_streams gauge',
    `holdfast_event_streams ${call.server.streams.open}`,
    ...call.server.counts.lines(),
    '# HELP process_resident_memory_bytes Memory of the process.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
  );
  return `${lines.join('\n')}\n`;
}

/** How the server is. */
export const healthRoutes: readonly Route[] = [health, metrics];
