import type { Connection } from '../connection/connection.ts';

/** The ids that users chose for records, and where they are. */
export class IdTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  find(run: number, id: string): number | undefined {
    const sql = 'SELECT seq FROM ids WHERE run = ? AND id = ?';
    return this.#connection.value(sql, run, id) as number | undefined;
  }

  add(run: number, id: string, seq: number): void {
    this.#connection.run('INSERT OR REPLACE INTO ids (run, id, seq) VALUES (?, ?, ?)', run, id, seq);
  }

  /** Unless the id is another record's by now. */
  remove(run: number, id: string, seq: number): void {
    this.#connection.run('DELETE FROM ids WHERE run = ? AND id = ? AND seq = ?', run, id, seq);
  }
}
