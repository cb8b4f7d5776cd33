// What two workers did with the same run: what the second found done, what it was given back, what it executed.
import type { RecordJson } from '@holdfast/server/client';
import { Payload } from '../fold/payload.ts';
import { problemFrom, reasonOf } from '../fold/problem.ts';
import type { TakenOver } from '../fold/story.ts';

/** What became of a call in a worker. Undefined: that worker has not come to it. */
export type Fate = 'executed' | 'failed' | 'kept' | 'replayed' | 'killed' | 'executing' | undefined;

/** A call in both workers. */
interface ComparedCall {
  readonly key: string;
  readonly seq: number | undefined;
  readonly node: string;
  readonly call: string;
  readonly note: string;
  readonly first: Fate;
  readonly second: Fate;
}

/** What a takeover came to. */
export interface Comparison {
  readonly calls: readonly ComparedCall[];
  readonly kept: number;
  readonly replayed: number;
  /** Calls that were cut off, and are executed again. */
  readonly again: number;
  /** Calls with two results: never, or the journal is wrong. */
  readonly twice: number;
}

interface Made {
  readonly seq: number;
  readonly node: string;
  readonly task: string;
  readonly name: string;
  readonly identity: string;
  readonly kind: 'result' | 'attempt' | 'task';
  readonly note: string;
}

/** Nodes that were open when the first worker died, besides those that the journal tells of. */
export interface OpenAtDeath {
  readonly nodes: readonly string[];
  /** Of the first record of the open super-step. */
  readonly startSeq: number;
  /** Whether the first worker has died, as far as is known. False: its open calls go on. */
  readonly isDead: boolean;
}

/** Compares what was recorded before the takeover with what came after. Without `seq` the second worker has written nothing yet. */
export function compareWorkers(
  records: readonly RecordJson[],
  { seq }: Partial<Pick<TakenOver, 'seq'>>,
  open: OpenAtDeath,
): Comparison {
  const split = seq ?? Number.POSITIVE_INFINITY;
  const made = callsOf(records);
  const before = made.filter((each) => each.seq < split);
  const after = made.filter((each) => each.seq >= split);
  const doneTasks = new Set(
    before.filter((each) => each.kind === 'task' && each.seq > open.startSeq).map(({ task }) => task),
  );
  const isCommitted = (each: Made): boolean => each.seq <= open.startSeq || doneTasks.has(each.task);
  const first = before
    .filter((each) => each.kind !== 'task' || isLoneTask(each, before))
    .map((each): ComparedCall => {
      const isReplayed = each.kind === 'result' && !isCommitted(each);
      return callOf(
        each,
        each.kind === 'attempt' ? 'failed' : 'executed',
        isReplayed ? (seq === undefined ? undefined : 'replayed') : 'kept',
      );
    });
  const cut = cutCalls({ before, after, open, doneTasks, isOver: seq !== undefined });
  const cutSeqs = new Set(cut.map((each) => each.seq));
  const rest = after
    .filter((each) => !cutSeqs.has(each.seq) && (each.kind !== 'task' || isLoneTask(each, after)))
    .map((each) => callOf(each, undefined, each.kind === 'attempt' ? 'failed' : 'executed'));
  const results = made.filter(({ kind }) => kind === 'result');
  const calls = [...first, ...cut, ...rest];
  return {
    calls,
    kept: calls.filter(({ second }) => second === 'kept').length,
    replayed: calls.filter(({ second }) => second === 'replayed').length,
    again: cut.length,
    twice: results.length - new Set(results.map(({ identity }) => identity)).size,
  };
}

/** A node without any call is one call itself. */
function isLoneTask({ task, seq }: Made, made: readonly Made[]): boolean {
  return !made.some((each) => each.task === task && each.kind === 'result' && each.seq < seq);
}

interface CutOptions {
  readonly before: readonly Made[];
  readonly after: readonly Made[];
  readonly open: OpenAtDeath;
  readonly doneTasks: ReadonlySet<string>;
  readonly isOver: boolean;
}

/** The calls that were in flight: of each open task, the one that the second worker recorded first. */
function cutCalls({ before, after, open, doneTasks, isOver }: CutOptions): readonly ComparedCall[] {
  const started = new Set(before.filter(({ seq }) => seq > open.startSeq).map(({ task }) => task));
  const tasks = new Set([...open.nodes, ...started].filter((task) => !doneTasks.has(task)));
  return [...tasks].map((task): ComparedCall => {
    const next = after.find((each) => each.task === task);
    if (next !== undefined) return callOf(next, 'killed', next.kind === 'attempt' ? 'failed' : 'executed');
    const node = task.split(' #')[0] ?? task;
    return {
      key: `cut ${task}`,
      seq: undefined,
      node,
      call: 'in flight',
      note: '',
      first: isOver || open.isDead ? 'killed' : 'executing',
      second: isOver ? 'executing' : undefined,
    };
  });
}

function callOf({ seq, node, name, note }: Made, first: Fate, second: Fate): ComparedCall {
  return { key: String(seq), seq, node, call: name, note, first, second };
}

/** What the records tell of calls. A name may come again in the next super-step: that is another call. */
function callsOf(records: readonly RecordJson[]): readonly Made[] {
  const made: Made[] = [];
  let superstep = 0;
  for (const record of records) {
    const { kind, seq } = record;
    if (kind === 'superstep' || kind === 'fork' || kind === 'turn') superstep += 1;
    if (kind !== 'result' && kind !== 'attempt' && kind !== 'task') continue;
    const payload = new Payload(record);
    const node = payload.text('node') ?? '';
    const task = payload.task();
    const name = kind === 'task' ? '' : (payload.text('name') ?? '');
    const note = kind === 'attempt' ? reasonOf(problemFrom(payload.value('error'))) : '';
    const identity = [superstep, task, payload.text('type') ?? '', name, payload.number('n') ?? 0].join(' ');
    made.push({ seq, node, task, name, kind, note, identity });
  }
  return made;
}
