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
  const kept = keptUpTo(story);
  const lastTakeover = story?.takeovers.at(-1)?.seq ?? 0;
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
    const mark =
      wait !== undefined && wait.to === undefined && story?.end === undefined
        ? 'waiting'
        : markOf(record, { kept, lastTakeover });
    return [...before, { kind: 'record', record, ...wordsOf(record), mark: aside === '' ? mark : undefined, aside }];
  });
}

/** The checkpoint that the last takeover began from: what is up to it was never looked at again. */
function keptUpTo(story: Story | undefined): number {
  const last = story?.takeovers.at(-1);
  if (last === undefined || story === undefined) return 0;
  return Math.max(0, ...story.supersteps.map(({ seq }) => seq ?? 0).filter((seq) => seq < last.seq));
}

function markOf(
  { kind, seq }: RecordJson,
  { kept, lastTakeover }: { readonly kept: number; readonly lastTakeover: number },
): CallMark | undefined {
  if (kind === 'attempt') return 'failed';
  if (kind !== 'result' && kind !== 'task' && kind !== 'superstep') return undefined;
  if (seq <= kept) return 'kept';
  if (seq >= lastTakeover) return 'executed';
  return kind === 'task' ? 'kept' : 'replayed';
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
export function wordsOf(record: RecordJson): { readonly what: string; readonly note: string } {
  const payload = new Payload(record);
  const node = payload.text('node') ?? '';
  const item = payload.number('item');
  const place = item === undefined ? node : `${node} #${item}`;
  const name = payload.text('name') === '.graph' ? 'inner graph' : (payload.text('name') ?? '');
  const call = [place, name].filter((part) => part !== '').join(' › ');
  const by = payload.text('by');
  switch (record.kind) {
    case 'run-start':
      return { what: payload.text('graph') ?? '', note: `v${payload.number('version') ?? '?'}` };
    case 'superstep':
      return { what: payload.texts('next')?.join(' ∥ ') ?? 'end', note: changedNote(payload) };
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
