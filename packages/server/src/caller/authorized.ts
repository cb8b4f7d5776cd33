import { ApiError } from '../api-error.ts';
import type { Authorize, Caller } from './caller.ts';

/** The caller of a request. A scope without a tag would be all runs: it is a mistake, and refused. @throws ApiError */
export async function authorized(authorize: Authorize, request: Request): Promise<Caller> {
  const caller: unknown = await authorize(request);
  if (caller === undefined || caller === null)
    throw new ApiError(401, 'HTTP_UNAUTHORIZED', 'Sign in first, or send the token.', {
      'www-authenticate': 'Bearer',
    });
  if (isCaller(caller)) return caller;
  throw new TypeError(
    'authorize() must return { by, scope?, may?, admin?, readOnly? } with a name that is not empty, and at least one tag in the scope.',
  );
}

function isCaller(value: unknown): value is Caller {
  if (typeof value !== 'object' || value === null) return false;
  const { by, scope, may, admin, readOnly } = value as Readonly<Partial<Record<keyof Caller, unknown>>>;
  if (typeof by !== 'string' || by === '' || (scope !== undefined && !isScope(scope))) return false;
  return (may === undefined || typeof may === 'function') && isFlag(admin) && isFlag(readOnly);
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isScope(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const tags = Object.values(value);
  return tags.length > 0 && tags.every((tag) => typeof tag === 'string');
}
