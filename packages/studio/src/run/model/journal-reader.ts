import type { JournalPageJson, RecordJson } from '@holdfast/server/client';
import { client } from '../../api/client.ts';
import { asked } from '../../api/live.ts';
import { RunFold } from '../fold/run-fold.ts';
import type { Story } from '../fold/story.ts';

const pageSize = 1_000;
/** Of a longer journal only the end is read: what is before it is in the checkpoints. */
const mostRecords = 20_000;

/** Reads a journal and goes on reading what is added to it. */
export class JournalReader {
  readonly runId: string;
  readonly records: RecordJson[] = [];
  /** Records before the first one that was read. */
  isCut = false;
  readonly #fold = new RunFold();
  #reading: Promise<boolean> | undefined;
  #isAgain = false;

  constructor(runId: string) {
    this.runId = runId;
  }

  get lastSeq(): number {
    return this.#fold.lastSeq;
  }

  story(): Story {
    return this.#fold.story();
  }

  /** Reads what is new. Resolves with whether there was anything. Calls during a read are one more read. */
  async read(head: number): Promise<boolean> {
    if (this.#reading !== undefined) {
      this.#isAgain = true;
      return this.#reading;
    }
    this.#reading = this.#readAll(head);
    try {
      return await this.#reading;
    } finally {
      this.#reading = undefined;
    }
  }

  async #readAll(head: number): Promise<boolean> {
    let after = this.lastSeq;
    if (after === 0 && head > mostRecords) {
      after = head - mostRecords;
      this.isCut = true;
    }
    const before = this.records.length;
    do {
      this.#isAgain = false;
      for (let next: number | null = after; next !== null; ) {
        const page: JournalPageJson = await asked(client.journal(this.runId, { after: next, limit: pageSize }));
        for (const record of page.records) {
          if (record.seq <= this.lastSeq) continue;
          this.records.push(record);
          this.#fold.add(record);
        }
        next = page.next;
      }
      after = this.lastSeq;
    } while (this.#isAgain);
    return this.records.length > before;
  }
}
