import { ApiError } from '../api-error.ts';
import type { Limits } from '../limits.ts';

/** Which requests are meant for this server. */
export interface Door {
  readonly hosts: readonly string[] | 'any';
  readonly origins: readonly string[];
  readonly limits: Limits;
}

/** The names of this machine for itself. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Refuses what no honest client of ours sends, before anything is read. @throws ApiError */
export function checkRequest(request: Request, door: Door): void {
  checkSize(request, door.limits);
  const host = checkHost(request, door);
  const origin = request.headers.get('origin');
  if (origin !== null && !isOwnOrigin(origin, host) && !door.origins.includes(origin))
    throw new ApiError(403, 'HTTP_FORBIDDEN', 'Pages of this origin may not call. Add it to the option origins.');
  const site = request.headers.get('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (isForeign && (origin === null || !door.origins.includes(origin)))
    throw new ApiError(403, 'HTTP_FORBIDDEN', 'Pages of other sites may not call.');
}

/** Refuses what was sent to another name: a page of it may have had its address changed to ours. @throws ApiError */
export function checkHost(request: Request, { hosts }: Pick<Door, 'hosts'>): string {
  const host = hostOf(request);
  if (hosts === 'any' || isListed(host, hosts)) return host;
  throw new ApiError(421, 'HTTP_MISDIRECTED', 'This host is not served here. Add it to the option hosts.');
}

function checkSize({ url, headers }: Request, { urlLength, headerLength }: Limits): void {
  if (url.length > urlLength) throw new ApiError(414, 'HTTP_URI_TOO_LONG', 'The URL is too long.');
  let length = 0;
  for (const [name, value] of headers) length += name.length + value.length;
  if (length > headerLength) throw new ApiError(431, 'HTTP_HEADERS_TOO_LARGE', 'The headers are too large.');
}

/** The Host header, or in memory the host of the URL. */
function hostOf({ headers, url }: Request): string {
  return (headers.get('host') ?? new URL(url).host).toLowerCase();
}

function isListed(host: string, hosts: readonly string[]): boolean {
  const name = host.replace(/:\d{1,5}$/u, '');
  return hosts.some((each) => each.toLowerCase() === host || each.toLowerCase() === name);
}

/** Whether a page of the same host calls. `null` and other schemes are foreign. */
function isOwnOrigin(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host}` || origin.toLowerCase() === `https://${host}`;
}
