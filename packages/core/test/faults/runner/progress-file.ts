import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LaneResult } from './lane-result.ts';

/** What came of a job up to now. */
export interface JobProgress {
  readonly result: LaneResult;
  readonly ms: number;
  readonly done: boolean;
  /** Why it was not done. */
  readonly error?: string | undefined;
}

/** Remembers what is done, outside of git, so that a long run can be ended and gone on with. */
export class ProgressFile {
  readonly #path: string;
  readonly #jobs: Map<string, JobProgress>;

  constructor(path: string) {
    this.#path = path;
    this.#jobs = new Map(Object.entries(read(path)));
  }

  get(job: string): JobProgress | undefined {
    return this.#jobs.get(job);
  }

  set(job: string, progress: JobProgress): void {
    this.#jobs.set(job, progress);
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.tmp`, JSON.stringify(Object.fromEntries(this.#jobs)));
    renameSync(`${this.#path}.tmp`, this.#path);
  }

  clear(): void {
    this.#jobs.clear();
  }
}

function read(path: string): Readonly<Record<string, JobProgress>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, JobProgress>>;
  } catch {
    return {};
  }
}

/** Tells one state of the compiled code from another: results belong to the code that was run. */
export function codeDigest(): string {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const hash = createHash('sha256');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && !isOfTests(name),
  );
  for (const name of names.toSorted()) hash.update(name).update(readFileSync(join(root, name)));
  return hash.digest('hex').slice(0, 12);
}

/** What no lane loads; results do not depend on it. */
function isOfTests(name: string): boolean {
  return name.endsWith('.test.js') || name.endsWith('slice.js');
}
