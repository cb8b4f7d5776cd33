import { holdfastError } from '../../errors/holdfast-error.ts';
import { checkRecordId, checkRunId } from '../../value/id.ts';
import type { IdQuery, LoadQuery, RecordQuery, RunsQuery, SnapshotQuery } from '../contract/read.ts';
import { runStatuses, waitKinds } from '../contract/run.ts';

/** The largest page of any query. */
export const maxPage = 1_000;

const statuses: ReadonlySet<unknown> = new Set(runStatuses);
const kindsOfWaits: ReadonlySet<unknown> = new Set(waitKinds);

type Check = (value: unknown) => boolean;
type Checks<Q> = { readonly [K in keyof Q]-?: Check };

/** The fields of a query: a check for each, and the required ones. */
interface Form<Q> {
  readonly checks: Checks<Q>;
  readonly needs: readonly (keyof Q & string)[];
}

const isSeq: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Check = (value) => typeof value === 'string';
const isOrder: Check = (value) => value === 'oldest' || value === 'newest';
const isFlag: Check = (value) => typeof value === 'boolean';
const isLimit: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= maxPage;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isKey: Check = (value) => isRecord(value) && isSeq(value['covers']) && isSeq(value['seq']);

/** The id checks throw their own errors. */
const isRun: Check = (value) => checkRunId(value) !== '';
const isChosenId: Check = (value) => checkRecordId(value) !== '';

const recordForm: Form<RecordQuery> = {
  needs: ['runId', 'order', 'limit'],
  checks: {
    runId: isRun,
    after: isSeq,
    before: isSeq,
    order: isOrder,
    limit: isLimit,
  },
};

const snapshotForm: Form<SnapshotQuery> = {
  needs: ['runId', 'limit', 'bodies'],
  checks: {
    runId: isRun,
    covers: isSeq,
    before: isKey,
    limit: isLimit,
    bodies: isFlag,
  },
};

const idForm: Form<IdQuery> = {
  needs: ['runId', 'limit'],
  checks: { runId: isRun, id: isChosenId, upTo: isSeq, after: isText, limit: isLimit },
};

const loadForm: Form<LoadQuery> = {
  needs: ['runId', 'limit'],
  checks: {
    runId: isRun,
    upTo: isSeq,
    before: isKey,
    limit: (value) => value === 0 || isLimit(value),
    id: isChosenId,
  },
};

const runsForm: Form<RunsQuery> = {
  needs: ['order', 'limit'],
  checks: {
    runIds: (value) => Array.isArray(value) && value.length <= maxPage && value.every(isRun),
    worker: isRun,
    status: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((status: unknown) => statuses.has(status)),
    graph: isText,
    node: isText,
    waits: (value) => kindsOfWaits.has(value),
    tags: (value) => isRecord(value) && Object.values(value).every(isText),
    parentId: isRun,
    forkOf: isRun,
    idPrefix: isText,
    updatedBefore: Number.isFinite,
    hidden: isFlag,
    order: isOrder,
    after: (value) => isRecord(value) && Number.isFinite(value['createdAt']) && isRun(value['runId']),
    limit: isLimit,
  },
};

/** Validates a query for records. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID */
export function checkRecordQuery(query: RecordQuery): RecordQuery {
  return checkQuery(query, recordForm);
}

/** Validates a query for ids. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID */
export function checkIdQuery(query: IdQuery): IdQuery {
  return checkQuery(query, idForm);
}

/** Validates a load. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID */
export function checkLoadQuery(query: LoadQuery): LoadQuery {
  return checkQuery(query, loadForm);
}

/** Validates a query for snapshots. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID */
export function checkSnapshotQuery(query: SnapshotQuery): SnapshotQuery {
  return checkQuery(query, snapshotForm);
}

/** Validates a query for runs. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_INVALID_ID */
export function checkRunsQuery(query: RunsQuery): RunsQuery {
  return checkQuery(query, runsForm);
}

/** Refuses unknown filters: a typo must not silently mean "all". */
function checkQuery<Q extends object>(query: Q, { checks, needs }: Form<Q>): Q {
  for (const [key, value] of Object.entries(query)) {
    const check: Check | undefined = Object.hasOwn(checks, key) ? checks[key as keyof Q] : undefined;
    if (check === undefined)
      throw refused(
        `A query has no filter ${JSON.stringify(key)}. The filters are ${Object.keys(checks).join(', ')}.`,
        key,
      );
    if (value !== undefined && !check(value)) throw refused(`The filter ${key} has an invalid value.`, key);
  }
  for (const key of needs) {
    if (query[key] === undefined && !checks[key](undefined)) throw refused(`The filter ${key} is missing.`, key);
  }
  return query;
}

function refused(message: string, key: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message, { details: { filter: key } });
}
