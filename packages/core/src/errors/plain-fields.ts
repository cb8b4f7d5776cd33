/** A field of an error that is kept: nothing with an identity, and nothing that could hide a secret deep inside. */
export type PlainField = string | number | boolean | null;

/** The fields that every error has, or that are kept by themselves. */
const ownNames: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause', 'details', '__proto__']);
/** More than these are left out. */
const maxFields = 32;

/**
 * The plain fields that someone's code gave an error: `status`, `code`, `retryAfter`. Objects are left out: a client's error
 * often has the whole request, with its headers.
 */
export function plainFields(error: object): Readonly<Record<string, PlainField>> {
  const fields: Record<string, PlainField> = {};
  let left = maxFields;
  // The code of a class is often a getter.
  for (const name of new Set(['code', ...Object.keys(error)])) {
    if (ownNames.has(name)) continue;
    const value = valueOf(error, name);
    if (value === undefined) continue;
    fields[name] = value;
    left -= 1;
    if (left === 0) break;
  }
  return fields;
}

function valueOf(error: object, name: string): PlainField | undefined {
  let value: unknown;
  try {
    value = Reflect.get(error, name);
  } catch {
    // A getter threw.
    return undefined;
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
