import type { Engine, Outcome, RunSummary } from 'holdfast';
import { runJson, waitJson } from '../../json/run-json.ts';
import { nothing } from '../../schema/common.ts';
import { runDetailsSchema } from '../../schema/run.ts';
import type { RunDetailsJson, RunJson } from '../../schema/types.ts';
import { type Call, type Route, route, runParams } from '../route.ts';

/** What a run waits for that only someone outside can give. */
const needsInput: ReadonlySet<string> = new Set(['ask', 'receive', 'pause', 'effect']);
/** How long a run that waits may take to say for what. It never does, unless a worker goes on with it right now. */
const patienceMs = 2_000;

const getRun = route({
  id: 'getRun',
  method: 'get',
  path: '/runs/{runId}',
  summary: 'A run: its status, what it waits for, why it failed, what it returned.',
  access: 'read',
  params: runParams,
  query: nothing,
  response: runDetailsSchema,
  async handle(call, { params }) {
    const summary = await call.scope.run(params.runId);
    const run = await runJson(summary, call);
    if (summary.kind === 'journal') return { ...run, lease: null, next: [], open: [] };
    return { ...run, lease: await leaseJson(call, summary), ...(await detailsOf(call, summary)) };
  },
});

async function leaseJson({ engine }: Call, { id, worker }: RunSummary): Promise<RunDetailsJson['lease']> {
  // A run that no worker executes needs no second look at the store.
  const lease = worker === null ? null : await engine.get(id).lease();
  return lease && { ...lease, until: lease.until?.toISOString() ?? null };
}

type Details = Omit<RunDetailsJson, 'lease' | keyof RunJson>;

async function detailsOf({ engine, redactor }: Call, summary: RunSummary): Promise<Details> {
  const { next } = await engine.get(summary.id).checkpoint();
  const outcome = isAtRest(summary) ? await outcomeNow(engine, summary.id) : undefined;
  switch (outcome?.status) {
    case 'completed':
      // A graph returns its state: what is hidden in one is hidden in the other.
      return {
        next,
        open: [],
        output: redactor
          .at(['output'])
          .and(redactor.at(['state']))
          .plain(outcome.output),
      };
    case 'failed':
      return { next, open: [], error: redactor.value(['errors'], outcome.error) };
    case 'cancelled': {
      const reason = outcome.reason && redactor.text(['reason'], outcome.reason);
      return { next, open: [], ...(reason !== undefined && { reason }) };
    }
    case 'waiting':
      return { next, open: outcome.waits.map((wait) => waitJson(wait, redactor)) };
    default:
      return { next, open: [] };
  }
}

function isAtRest({ status, waits }: RunSummary): boolean {
  if (status === 'waiting') return waits.some(({ kind }) => needsInput.has(kind));
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The outcome, unless the run has just gone on: asking never waits for it. */
async function outcomeNow(engine: Engine, runId: string): Promise<Outcome | undefined> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    return await engine.get(runId).outcome({ signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** One run. */
export const oneRunRoutes: readonly Route[] = [getRun];
