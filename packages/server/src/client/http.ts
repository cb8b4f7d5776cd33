import type { ErrorJson } from '../schema/types.ts';

/** How to reach a server. */
export interface ClientOptions {
  /** Where the API is mounted: `/holdfast`, or `http://127.0.0.1:4000`. Default: the root of the page's own server. */
  readonly url?: string | undefined;
  /** Sent as a bearer token. A browser that opened the printed URL has a cookie instead. */
  readonly token?: string | undefined;
  /** Default: the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** The server refused a request, or could not be understood. `code` is one of docs/errors.md, or begins with `HTTP_`. */
export class ClientError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(status: number, { code, message, details }: ErrorJson) {
    super(message);
    this.name = 'ClientError';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** A query. Undefined values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Sends requests. */
export class Http {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch;

  constructor({ url = '', token, fetch: given }: ClientOptions) {
    this.#base = `${url.replace(/\/+$/u, '')}/api/v1`;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // A browser's own refuses to be called as a method of something else.
    this.#fetch = given ?? ((...call) => fetch(...call));
  }

  get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    return this.#json<T>(`${path}${queryText(query)}`, { ...(signal !== undefined && { signal }) });
  }

  post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.#json<T>(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** Sends a file. */
  upload<T>(path: string, body: BodyInit, query: Query): Promise<T> {
    const headers = { 'content-type': 'application/x-ndjson' };
    return this.#json<T>(`${path}${queryText(query)}`, { method: 'POST', body, headers });
  }

  delete<T>(path: string): Promise<T> {
    return this.#json<T>(path, { method: 'DELETE' });
  }

  /** A response whose body is read by the caller. @throws ClientError */
  async stream(path: string, query: Query, init: RequestInit): Promise<Response> {
    return checked(await this.#send(`${path}${queryText(query)}`, init));
  }

  async #json<T>(path: string, init: RequestInit): Promise<T> {
    const response = await checked(await this.#send(path, init));
    return (await response.json()) as T;
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Readonly<Record<string, string>> | undefined) };
    return this.#fetch(`${this.#base}${path}`, { credentials: 'same-origin', ...init, headers });
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const fallback = { code: 'HTTP_INTERNAL', message: `The server answered with status ${response.status}.` };
  const body = (await response.json().catch(() => undefined)) as { readonly error?: ErrorJson } | undefined;
  throw new ClientError(response.status, body?.error ?? fallback);
}

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
