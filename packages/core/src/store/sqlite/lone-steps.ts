import type { Connection } from './connection.ts';
import { sumOfPlace } from './packed-row.ts';
import { type Appending, isMarked, type RowChain } from './row-chain.ts';
import type { KnownRun } from './run-row.ts';

/** Of the row, of the head as it is known, and of the next one. */
const columns = 'id, run, seq, prev, parts, sum, text, headSeq, fence, headSum, step, age, newSum, token, frontier';
const places = columns.replaceAll(/\w+/g, '?');

/**
 * What a step is in SQL, as a trigger on a view that nothing is in: one statement does it all, as a transaction of its
 * own. A head that is not as it is known leaves no seq for the row, which must have one, and so undoes it all. A frontier
 * that stays is not bound again. Both belong to the connection; the file knows nothing of them.
 */
function createView(name: string, more = ''): string {
  return `CREATE TEMP VIEW IF NOT EXISTS ${name} (${columns}) AS SELECT ${columns.replaceAll(/\w+/g, '0')};
CREATE TEMP TRIGGER IF NOT EXISTS ${name}_insert INSTEAD OF INSERT ON ${name} BEGIN
  UPDATE heads SET seq = NEW.seq, last = NEW.id, step = NEW.step, age = NEW.age, sum = NEW.newSum, token = NEW.token,
    frontier = coalesce(NEW.frontier, frontier)
    WHERE run = NEW.run AND seq = NEW.headSeq AND fence = NEW.fence AND sum = NEW.headSum;
  INSERT INTO rows (id, run, seq, prev, parts, sum, text) VALUES (NEW.id, NEW.run,
    iif(changes() = 1, NEW.seq, NULL), NEW.prev, NEW.parts, NEW.sum, NEW.text);
  ${more}
END;`;
}

function insertInto(name: string): string {
  return `INSERT INTO ${name} VALUES (${places})`;
}

const setUp =
  createView('holdfast_steps') +
  createView('holdfast_marked_steps', 'INSERT INTO marks (run, seq, row) VALUES (NEW.run, NEW.seq, NEW.id);');
const takeStep = insertInto('holdfast_steps');
const takeMarkedStep = insertInto('holdfast_marked_steps');

/** A page of heads, and those that the row is on; one of marks is seldom among them. */
function pagesOf(characters: number): number {
  return 2 + Math.floor(characters / 4_096);
}

/** So many steps go the other way after one that could not go this one: another process writes too. */
const cautiousSteps = 16;

/** Writes the steps of a run that is alone: most of what is left beside the sync is to carry out a statement at all. */
export class LoneSteps {
  readonly #connection: Connection;
  readonly #chain: RowChain;
  #isSetUp = false;
  #cautious = 0;

  constructor(connection: Connection, chain: RowChain) {
    this.#connection = connection;
    this.#chain = chain;
  }

  /** The id that a row would get now, if nobody else has taken it; undefined where the step has to go another way. */
  idFor({ head }: KnownRun): number | undefined {
    if (this.#cautious > 0) {
      this.#cautious -= 1;
      return undefined;
    }
    if (head.claims !== 0 || !this.#isReady()) return undefined;
    return this.#chain.nextId;
  }

  /** Writes a row and the head that it leads to, whose last row has the id from above. False: nothing was written. */
  write({ known, packed }: Appending, changed: KnownRun): boolean {
    const { row, head, headSum } = known;
    const { seq, parts, text } = packed;
    const { last, step, age, token, frontier } = changed.head;
    const sum = sumOfPlace({ run: row.key, seq, prev: head.last, parts });
    const isWritten = this.#connection.writeOne(
      isMarked(head.seq + 1, seq) ? takeMarkedStep : takeStep,
      last,
      row.key,
      seq,
      head.last,
      parts,
      sum,
      text,
      head.seq,
      head.fence,
      headSum,
      step,
      age,
      changed.headSum,
      token,
      frontier === head.frontier ? null : frontier,
    );
    if (!isWritten) {
      this.#cautious = cautiousSteps;
      return false;
    }
    this.#chain.tookId(last);
    this.#connection.wrote(pagesOf(text.length));
    return true;
  }

  #isReady(): boolean {
    this.#isSetUp ||= this.#connection.tryExec(setUp);
    return this.#isSetUp;
  }
}
