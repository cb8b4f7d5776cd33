import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Scripts, styles and requests of this server alone; nothing is framed, and no form leads away. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'clipboard-write=(self)',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compressed = promisify(gzip);

/** What the server writes into the page. */
interface Given {
  /** The path that the browser sees the studio under, with a slash at its end. */
  readonly mount: string;
  /** What the store is called; empty if it has no name. */
  readonly store: string;
}

interface Kept {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
}

/** The built files. Only names that were there at the start are served, so that no path leads out of the folder. */
export class PageFiles {
  readonly #folder: string;
  readonly #given: Given;
  readonly #names: ReadonlySet<string>;
  readonly #kept = new Map<string, Promise<Kept>>();

  constructor(folder: string, given: Given) {
    this.#folder = folder;
    this.#given = given;
    this.#names = new Set(namesIn(folder));
    if (!this.#names.has('index.html'))
      throw new TypeError(`The pages of the studio are not in ${folder}. Build them with: npm run build`);
  }

  /** The file of a path; any other path is an address inside the studio, except where a file is meant. */
  async answer(path: string, encodings: string): Promise<Response | undefined> {
    const isFile = this.#names.has(path);
    if (!isFile && path.startsWith('assets/')) return undefined;
    const name = isFile ? path : 'index.html';
    const { body, zipped } = await this.#read(name);
    const isZipped = /\bgzip\b/u.test(encodings);
    return new Response(isZipped ? zipped : body, {
      headers: {
        ...safeHeaders,
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        // A name with a hash in it never means anything else.
        'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        ...(isZipped && { 'content-encoding': 'gzip' }),
      },
    });
  }

  #read(name: string): Promise<Kept> {
    let kept = this.#kept.get(name);
    if (kept === undefined) {
      kept = this.#load(name);
      this.#kept.set(name, kept);
    }
    return kept;
  }

  async #load(name: string): Promise<Kept> {
    const read = await readFile(join(this.#folder, name));
    const body =
      name === 'index.html'
        ? new TextEncoder().encode(pageWith(read.toString('utf8'), this.#given))
        : new Uint8Array(read);
    return { body, zipped: new Uint8Array(await compressed(body)) };
  }
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'));
  } catch {
    return [];
  }
}

function pageWith(html: string, { mount, store }: Given): string {
  const name = `name="holdfast-store" content="${attribute(store)}"`;
  return html.replaceAll('"./', () => `"${attribute(mount)}`).replace('name="holdfast-store" content=""', () => name);
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
