// The journal as it reads: what each record says in a few words, and what became of it.
import type { RecordJson } from '@holdfast/server/client';
import { clock, duration } from '../../format/time.ts';
import type { CallMark } from '../../part/status.tsx';
import { Payload } from '../fold/payload.ts';
import { problemFrom, reasonOf } from '../fold/problem.ts';
import type { Story } from '../fold/story.ts';

/** A row of the journal: a record, or the worker that wrote what follows. */
export type JournalRow =
  | {
      readonly kind: 'record';
      readonly record: RecordJson;
      readonly what: string;
      readonly note: string;
      readonly mark: CallMark | undefined;
      readonly aside: string;
    }
  | { readonly kind: 'worker'; readonly worker: string; readonly text: string; readonly isDeath: boolean };

/** The rows, oldest first. */
export function journalRows(records: readonly RecordJson[], story: Story | undefined): readonly JournalRow[] {
  const takeovers = new Map(story?.takeovers.map((each) => [each.seq, each]));
  const waits = new Map(story?.waits.map((wait) => [wait.seq, wait]));
  const marks = marksOf(records, story);
  const nodes = nodesBySuperstep(story);
  return records.flatMap((record): readonly JournalRow[] => {
    const takeover = takeovers.get(record.seq);
    const before: readonly JournalRow[] =
      takeover === undefined
        ? []
        : [
            {
              kind: 'worker',
              worker: takeover.from ?? 'the worker',
              text: `died${takeover.noticed === 'lease' ? ', and its lease ended' : ''} ${clock(takeover.at)}`,
              isDeath: true,
            },
            { kind: 'worker', worker: takeover.by, text: `took over, fence ${takeover.fence}`, isDeath: false },
          ];
    const wait = waits.get(record.seq);
    const aside = wait === undefined ? asideOf(record) : wait.to === undefined ? '' : duration(wait.to - wait.from);
    const mark = wait !== undefined && wait.to === undefined && story?.end === undefined ? 'waiting' : marks(record);
    return [
      ...before,
      { kind: 'record', record, ...wordsOf(record, nodes), mark: aside === '' ? mark : undefined, aside },
    ];
  });
}

/** What became of records at the last takeover: what a finished task or super-step had recorded was never looked at again. */
function marksOf(
  records: readonly RecordJson[],
  story: Story | undefined,
): (record: RecordJson) => CallMark | undefined {
  const takeover = story?.takeovers.at(-1)?.seq ?? 0;
  const begins = Math.max(0, ...(story?.supersteps ?? []).map(({ seq }) => seq ?? 0).filter((seq) => seq < takeover));
  const done = new Set(
    records
      .filter(({ kind, seq }) => kind === 'task' && seq > begins && seq < takeover)
      .map((each) => new Payload(each).task()),
  );
  return (record) => {
    const { kind, seq } = record;
    if (kind === 'attempt') return 'failed';
    if (kind !== 'result' && kind !== 'task' && kind !== 'superstep') return undefined;
    if (seq >= takeover) return 'executed';
    return seq <= begins || done.has(new Payload(record).task()) ? 'kept' : 'replayed';
  };
}

/** The nodes that ran for each checkpoint: its own record names those that come next. */
export type NodesOf = (record: RecordJson) => readonly string[] | undefined;

/** Knows the nodes of the super-steps of a story. */
export function nodesBySuperstep(story: Story | undefined): NodesOf {
  const known = new Map((story?.supersteps ?? []).map(({ runId, seq, nodes }) => [`${runId}@${seq}`, nodes]));
  return ({ id }) => known.get(id);
}

function asideOf({ kind, at }: RecordJson): string {
  return kind === 'answer' ||
    kind === 'message' ||
    kind === 'timer' ||
    kind === 'resume' ||
    kind === 'cancel' ||
    kind === 'settle'
    ? clock(at)
    : '';
}

/** What a record says, in a few words. */
export function wordsOf(record: RecordJson, nodesOf: NodesOf): { readonly what: string; readonly note: string } {
  const payload = new Payload(record);
  const place = payload.task();
  const name = payload.text('name') === '.graph' ? 'inner graph' : (payload.text('name') ?? '');
  const call = [place, name].filter((part) => part !== '').join(' › ');
  const by = payload.text('by');
  switch (record.kind) {
    case 'run-start':
      return { what: payload.text('graph') ?? '', note: `v${payload.number('version') ?? '?'}` };
    case 'superstep':
      return { what: nodesOf(record)?.join(' ∥ ') ?? '', note: changedNote(payload) };
    case 'attempt':
      return { what: call, note: reasonOf(problemFrom(payload.value('error'))) };
    case 'wait':
      return { what: call, note: payload.text('kind') ?? '' };
    case 'answer':
      return { what: name === '' ? 'a child run has ended' : name, note: by === undefined ? '' : `by ${by}` };
    case 'message':
      return { what: name === '' ? (payload.text('turn') ?? '') : name, note: by === undefined ? '' : `by ${by}` };
    case 'log':
      return { what: call, note: payload.text('message') ?? '' };
    case 'run-end':
      return {
        what: payload.text('status') ?? '',
        note: payload.has('error') ? reasonOf(problemFrom(payload.value('error'))) : '',
      };
    case 'fork':
      return {
        what: changedNote(payload),
        note: [payload.text('label'), by === undefined ? undefined : `by ${by}`]
          .filter((part) => part !== undefined)
          .join(', '),
      };
    default:
      return { what: call === '' ? (payload.text('key') ?? '') : call, note: by === undefined ? '' : `by ${by}` };
  }
}

function changedNote(payload: Payload): string {
  const changed = payload.keys('delta');
  if (changed.length === 0) return '';
  return changed.length <= 2 ? `sets ${changed.join(', ')}` : `${changed.length} channels`;
}
