import type { JournalRecord, RecordMatch, RecordSource } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { parseCount } from '../../input/numbers.ts';
import type { Output } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import { shortFields } from '../../output/short-value.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

interface JournalOptions {
  readonly kind?: string;
  readonly label?: string;
  readonly source?: RecordSource;
  readonly after?: string;
  readonly tail?: string;
}

/** `holdfast journal RUN`. */
export const journal: CommandFn<JournalOptions> = async (context, [name = ''], options) => {
  const { out } = context;
  const { kind, label, source, after, tail } = options;
  if (after !== undefined && tail !== undefined) throw CliError.usage('Pass --after or --tail, not both.');
  await using engine = await openToRead(context);
  const { id } = await findRun(engine, name);
  const match: RecordMatch = { kind, label, source };
  const from = after === undefined ? {} : { after: `${id}@${parseCount(after, '--after')}` };
  const items =
    tail === undefined
      ? engine.journal.read(id, { ...match, ...from })
      : await engine.journal.tail(id, parseCount(tail, '--tail'), match);
  const count = await out.list({
    names: { all: 'records', one: 'record' },
    items,
    human: (records) => recordTable(out, records, id),
  });
  if (count === 0) out.hint('No matching records.');
  return 0;
};

function recordTable(out: Output, records: readonly JournalRecord[], runId: string): readonly string[] {
  const rows = records.map((record) => [
    record.runId === runId ? `@${record.seq}` : `${record.runId}@${record.seq}`,
    { text: record.kind, paint: paintOf(out, record.kind) },
    out.time(record.at),
    printable([...record.labels.map((each) => `#${each}`), shortFields(record.payload ?? '', 400)].join(' ')),
  ]);
  return out.table(['SEQ', 'KIND', 'AT', 'CONTENT'], rows);
}

function paintOf({ paint }: Output, kind: string): (text: string) => string {
  if (kind === 'superstep' || kind === 'run-start' || kind === 'run-end') return paint.bold;
  if (kind === 'wait' || kind === 'answer' || kind === 'pause') return paint.yellow;
  return kind === 'attempt' ? paint.red : (text) => text;
}
