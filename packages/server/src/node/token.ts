import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Authorize } from '../caller/caller.ts';
import { safeHeaders } from '../guard/answers.ts';

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whoever has the token, in a cookie or as a bearer, is the administrator of this server. */
export class TokenDoor {
  readonly token: string;
  readonly #by: string;
  #cookie = 'holdfast';

  /** @throws TypeError for a token that is too short, or that no header can carry */
  constructor(token: string, by: string) {
    if (!/^[\x21-\x7e]{16,1000}$/u.test(token))
      throw new TypeError('The token must have at least 16 characters, all of them printable ASCII without spaces.');
    this.token = token;
    this.#by = by;
  }

  /** Cookies are shared by all ports of a host, so that two servers need two names. */
  set port(port: number) {
    this.#cookie = `holdfast_${port}`;
  }

  readonly authorize: Authorize = (request) =>
    this.#given(request).some((token) => same(token, this.token)) ? { by: this.#by, admin: true } : undefined;

  /** The answer to the printed URL: the token moves from the address into a cookie that no script can read. */
  exchange(request: Request): Response | undefined {
    const url = new URL(request.url);
    const token = url.searchParams.get('token');
    if (token === null || request.method !== 'GET' || !same(token, this.token)) return undefined;
    url.searchParams.delete('token');
    return new Response(null, {
      status: 303,
      headers: {
        ...safeHeaders,
        // Two slashes would name another host.
        location: `${url.pathname.replace(/^\/+/u, '/')}${url.search}`,
        'set-cookie': `${this.#cookie}=${encodeURIComponent(this.token)}; HttpOnly; SameSite=Strict; Path=/`,
      },
    });
  }

  #given({ headers }: Request): readonly string[] {
    const [, bearer] = /^Bearer +(\S+)$/iu.exec(headers.get('authorization') ?? '') ?? [];
    const cookies = (headers.get('cookie') ?? '').split(';').map((each) => each.trim());
    const named = cookies.filter((each) => each.startsWith(`${this.#cookie}=`));
    const values = named.map((each) => decoded(each.slice(this.#cookie.length + 1)));
    return bearer === undefined ? values : [bearer, ...values];
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** In a time that does not depend on where they differ. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(hash(given), hash(wanted));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
