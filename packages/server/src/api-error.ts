/** The codes of errors that the HTTP API itself finds. All others are those of `HoldfastError`. */
export type ApiErrorCode =
  | 'HTTP_BODY_TOO_LARGE'
  | 'HTTP_BUSY'
  | 'HTTP_FORBIDDEN'
  | 'HTTP_HEADERS_TOO_LARGE'
  | 'HTTP_INTERNAL'
  | 'HTTP_INVALID_REQUEST'
  | 'HTTP_METHOD_NOT_ALLOWED'
  | 'HTTP_MISDIRECTED'
  | 'HTTP_NOT_FOUND'
  | 'HTTP_TIMEOUT'
  | 'HTTP_TOO_MANY_STREAMS'
  | 'HTTP_UNAUTHORIZED'
  | 'HTTP_UNSUPPORTED_MEDIA_TYPE'
  | 'HTTP_URI_TOO_LONG';

/** A refusal with its HTTP status. Its message may be shown to the caller. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: ApiErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** A request that does not fit its schema. */
export function invalidRequest(message: string): ApiError {
  return new ApiError(400, 'HTTP_INVALID_REQUEST', message);
}

/** The same whether a run does not exist or belongs to someone else. */
export function noSuchRun(runId: string): ApiError {
  return new ApiError(404, 'HTTP_NOT_FOUND', `Run "${runId.slice(0, 256)}" does not exist.`);
}

/** The same whether a checkpoint does not exist or belongs to someone else. */
export function noSuchCheckpoint(): ApiError {
  return new ApiError(404, 'HTTP_NOT_FOUND', 'The run has no such checkpoint.');
}
