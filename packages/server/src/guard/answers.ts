import { HoldfastError } from 'holdfast';
import { ApiError } from '../api-error.ts';
import { plain } from '../json/plain.ts';
import type { Redactor } from '../json/redact.ts';
import { jsonText } from '../json/text.ts';

/** Nothing of an answer is run, framed, sniffed or kept. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** An answer in JSON. */
export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(jsonText(value), {
    status,
    headers: { ...safeHeaders, 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/** An answer of another type of content. */
export function answerOf(body: string | ReadableStream, type: string): Response {
  return new Response(body, { headers: { ...safeHeaders, 'content-type': type } });
}

/** The status for each code that a caller can cause. */
const statuses: Readonly<Record<string, number>> = {
  HOLDFAST_ALREADY_ANSWERED: 409,
  HOLDFAST_AMBIGUOUS: 409,
  HOLDFAST_CANCELLED: 409,
  HOLDFAST_CONFLICT: 409,
  HOLDFAST_GRAPH_RUN: 409,
  HOLDFAST_ID_TAKEN: 409,
  HOLDFAST_INPUT_MISMATCH: 409,
  HOLDFAST_INVALID_CURSOR: 400,
  HOLDFAST_INVALID_GOTO: 400,
  HOLDFAST_INVALID_ID: 400,
  HOLDFAST_INVALID_OPTION: 400,
  HOLDFAST_INVALID_ROUTE: 400,
  HOLDFAST_INVALID_TRANSITION: 409,
  HOLDFAST_INVALID_VALUE: 400,
  HOLDFAST_NOT_FOUND: 404,
  HOLDFAST_PENDING_EFFECT: 409,
  HOLDFAST_QUESTION_CLOSED: 409,
  HOLDFAST_READ_ONLY: 403,
  HOLDFAST_REDUCER_FAILED: 400,
  HOLDFAST_RUN_ENDED: 409,
  HOLDFAST_RUN_LEASED: 409,
  HOLDFAST_SUSPENDED: 409,
  HOLDFAST_TIMEOUT: 400,
  HOLDFAST_TOO_DEEP: 413,
  HOLDFAST_TOO_LARGE: 413,
  HOLDFAST_TOO_MANY: 429,
  HOLDFAST_UNKNOWN_CHANNEL: 400,
  HOLDFAST_UNKNOWN_MESSAGE: 404,
  HOLDFAST_UNKNOWN_QUESTION: 404,
  HOLDFAST_UNSERIALIZABLE: 400,
  HOLDFAST_VERSION: 409,
};

/** Codes of a store that may answer later. Their messages can name files and servers, so that callers see only the code. */
const unavailable: ReadonlySet<string> = new Set([
  'HOLDFAST_DRAINING',
  'HOLDFAST_IN_DOUBT',
  'HOLDFAST_LEASE_LOST',
  'HOLDFAST_STORE_CLOSED',
  'HOLDFAST_STORE_FAILED',
  'HOLDFAST_STORE_LOCKED',
  'HOLDFAST_STORE_POISONED',
  'HOLDFAST_STORE_UNAVAILABLE',
]);

/** Codes of data that cannot be read. Their messages say where it is, so that callers see only the code. */
const unreadable: ReadonlySet<string> = new Set([
  'HOLDFAST_CORRUPT',
  'HOLDFAST_MISSING_KEY',
  'HOLDFAST_UNKNOWN_FORMAT',
  'HOLDFAST_WRONG_KEY',
]);

/** Messages that say what may be hidden, by what they say. */
const revealing: Readonly<Record<string, readonly ['by' | 'errors', string]>> = {
  HOLDFAST_ALREADY_ANSWERED: ['by', 'The question already has a different answer.'],
  HOLDFAST_REDUCER_FAILED: ['errors', 'A reducer failed.'],
};

/** What a caller is told of an error. */
interface Told {
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown };
  readonly headers: Readonly<Record<string, string>>;
}

/** What a caller is told. Undefined: nothing, because it was unexpected. */
export function toldOf(error: unknown, redactor?: Redactor): Told | undefined {
  if (error instanceof ApiError) {
    const { status, code, message, headers } = error;
    return { status, error: { code, message }, headers };
  }
  if (!HoldfastError.is(error)) return undefined;
  const { code, message, details } = error;
  if (unavailable.has(code))
    return {
      status: 503,
      error: { code, message: 'The store cannot be used right now.' },
      headers: { 'retry-after': '5' },
    };
  const status = statuses[code];
  if (status === undefined) return undefined;
  // Details may hold anything that a run holds.
  if (redactor?.isActive !== true) return { status, error: { code, message, details: plain(details) }, headers: {} };
  const [place, harmless] = revealing[code] ?? [];
  const isHidden = place !== undefined && redactor.at([place]).isWhole;
  return { status, error: { code, message: isHidden ? (harmless ?? '') : message }, headers: {} };
}

/** The answer to an error. Of an unexpected one, the caller learns the id that the log has. */
export function errorAnswer(
  error: unknown,
  onUnexpected: (id: string, error: unknown) => void,
  redactor?: Redactor,
): Response {
  const told = toldOf(error, redactor);
  if (told !== undefined) return jsonAnswer({ error: told.error }, told.status, told.headers);
  const id = crypto.randomUUID();
  onUnexpected(id, error);
  const isUnreadable = HoldfastError.is(error) && unreadable.has(error.code);
  const what = isUnreadable ? 'What is stored cannot be read.' : 'Something went wrong on the server.';
  const message = `${what} The log of the server has the details under ${id}.`;
  return jsonAnswer({ error: { code: isUnreadable ? error.code : 'HTTP_INTERNAL', message } }, 500);
}
