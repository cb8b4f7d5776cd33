// The same action in a terminal, over HTTP and in code. Pure: whoever shows it gives the address.

/** An action, three times. */
export interface CopyForms {
  readonly cli: string;
  readonly curl: string;
  readonly typescript: string;
}

interface Request {
  readonly cli: readonly string[];
  readonly path: string;
  readonly body?: unknown;
  readonly typescript: string;
}

/** The forms of an action. A browser keeps its token where no script can read it, so that curl takes one from the environment. */
export function copyForms(api: string, { cli, path, body, typescript }: Request): CopyForms {
  const url = shellWord(`${api}${path}`);
  const token = '-H "Authorization: Bearer $HOLDFAST_TOKEN"';
  const json = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`;
  return { cli: cliText(cli), curl: `curl ${token}${json} ${url}`, typescript };
}

/** A command of the command line. */
export function cliText(words: readonly string[]): string {
  return ['holdfast', ...words].map(shellWord).join(' ');
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Fields as the command line takes them: `cents=5000 currency=EUR`. Text that reads as JSON is quoted, so that it stays text. */
export function assignments(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const isPlainText = typeof value === 'string' && value !== '' && !isJson(value);
    return [`${name}=${isPlainText ? value : JSON.stringify(value)}`];
  });
}

/** Whether a value is an object with fields. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as TypeScript. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isFields(value)) return typeof value === 'string' ? quoted(value) : (JSON.stringify(value) ?? 'undefined');
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (fields.length === 0) return '{}';
  const text = fields.map(
    ([name, inner]) => `${/^[A-Za-z_$][\w$]*$/u.test(name) ? name : quoted(name)}: ${literal(inner)}`,
  );
  return `{ ${text.join(', ')} }`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
