import type { JournalRecord } from 'holdfast';
import { OpenTask, type TaskPlace, taskKey } from './open-task.ts';
import { fieldsOf, type RecordFields, type TakeoverMark, takeoverOf } from './record-fields.ts';
import type { Span, SpanStatus, TakeoverSpan } from './span.ts';

/** How the run is now, which its journal does not say. */
export interface Standing {
  readonly superstep: number;
  /** `executing`: a worker that lives has it. `dead`: the worker that had it has died. */
  readonly worker: 'executing' | 'dead' | 'none';
}

/** What a timeline shows. */
export interface Timeline {
  readonly spans: readonly Span[];
  readonly takeovers: readonly TakeoverSpan[];
}

/** The timeline of a run, from its records, oldest first. They may begin in the middle. */
export function foldTimeline(records: readonly JournalRecord[], standing: Standing): Timeline {
  const supersteps = records.filter(({ kind }) => kind === 'superstep').length;
  const fold = new TimelineFold(standing.superstep - supersteps);
  for (const record of records) fold.add(record);
  return fold.end(standing);
}

type Ending = Pick<Span, 'status'> & Partial<Pick<Span, 'error' | 'by'>>;

class TimelineFold {
  readonly #spans: Span[] = [];
  readonly #takeovers: TakeoverSpan[] = [];
  readonly #tasks = new Map<string, OpenTask>();
  readonly #waits = new Map<string, Span>();
  #superstep: number;
  #lastAt = 0;
  #runId = '';

  constructor(superstep: number) {
    this.#superstep = superstep;
  }

  add(record: JournalRecord): void {
    const takeover = takeoverOf(record);
    if (takeover !== undefined) this.#takeOver(record, takeover);
    this.#runId = record.runId;
    this.#read(record, fieldsOf(record));
    this.#lastAt = record.at.getTime();
  }

  end({ worker }: Standing): Timeline {
    for (const task of this.#tasks.values()) {
      const isWaiting = this.#waitsOf(task.place).length > 0;
      if (!isWaiting && worker === 'none') continue;
      const until = !isWaiting && worker === 'dead' ? Math.max(this.#lastAt, task.begun) : null;
      const status: SpanStatus = isWaiting ? 'waiting' : worker === 'dead' ? 'killed' : 'executing';
      this.#spans.push({ ...this.#nodeSpan(task), until, status });
    }
    return { spans: this.#spans, takeovers: this.#takeovers };
  }

  #read(record: JournalRecord, fields: RecordFields): void {
    switch (record.kind) {
      case 'run-start':
      case 'turn':
        return this.#begin(record, fields.next);
      case 'fork':
      case 'migrate':
        return fields.next === undefined ? undefined : this.#begin(record, fields.next);
      case 'superstep':
        return this.#endSuperstep(record, fields);
      case 'task':
        return this.#endTask(record, fields);
      case 'result':
        return this.#endCall(record, fields);
      case 'attempt':
        return this.#fail(record, fields);
      case 'wait':
        return this.#wait(record, fields);
      case 'answer':
        return this.#answer(record, fields);
      case 'timer':
        return this.#endWait(record, fields.wait, { status: 'executed' });
      case 'settle':
        return this.#endWait(record, fields.key, { status: 'executed', by: fields.by });
      case 'run-end':
        return this.#endRun(record, fields);
      default:
        return undefined;
    }
  }

  #begin({ at }: JournalRecord, next: readonly string[] = []): void {
    this.#tasks.clear();
    for (const node of next) this.#tasks.set(node, new OpenTask({ node }, at.getTime()));
  }

  #taskAt(place: TaskPlace): OpenTask {
    const found = this.#tasks.get(taskKey(place));
    if (found !== undefined) return found;
    // An item of an `each` begins with its node. The first records of a journal that was read in part begin here.
    const begun = this.#tasks.get(place.node)?.begun ?? this.#lastAt;
    const task = new OpenTask(place, begun);
    this.#tasks.set(taskKey(place), task);
    return task;
  }

  #nodeSpan(task: OpenTask): Span {
    const { node, item } = task.place;
    return {
      runId: this.#runId,
      seq: null,
      superstep: this.#superstep,
      node,
      item,
      kind: 'node',
      name: undefined,
      n: undefined,
      attempt: task.attempt,
      from: task.begun,
      until: null,
      status: 'executed',
    };
  }

  #endSuperstep(record: JournalRecord, { next = [] }: RecordFields): void {
    for (const task of this.#tasks.values()) this.#close(record, task, { status: 'executed' });
    this.#superstep += 1;
    this.#begin(record, next);
  }

  #endTask(record: JournalRecord, fields: RecordFields): void {
    const place = placeOf(fields);
    this.#close(record, this.#taskAt(place), { status: 'executed' });
    this.#tasks.delete(taskKey(place));
  }

  #close({ seq, at, runId }: JournalRecord, task: OpenTask, ending: Ending): void {
    for (const wait of this.#waitsOf(task.place)) this.#finish(wait, { seq, at, runId }, { status: 'cancelled' });
    this.#spans.push({ ...this.#nodeSpan(task), runId, seq, until: at.getTime(), ...ending });
  }

  #endCall(record: JournalRecord, fields: RecordFields): void {
    const task = this.#taskAt(placeOf(fields));
    const at = record.at.getTime();
    const wait = this.#waitsOf(task.place).find(({ name, n }) => name === fields.name && n === (fields.n ?? 0));
    if (wait !== undefined) this.#endWait(record, wait.wait, { status: 'executed' });
    else if (isStep(fields)) this.#addCall(record, task, fields);
    task.gave(at);
  }

  #addCall(record: JournalRecord, task: OpenTask, fields: RecordFields): void {
    const killed = task.killedBefore(fields);
    const span = this.#callSpan(record, task, fields);
    if (killed !== undefined) this.#spans.push({ ...span, seq: null, ...killed, status: 'killed', error: undefined });
    this.#spans.push(span);
    task.spans.push(span);
  }

  #callSpan({ runId, seq, at }: JournalRecord, task: OpenTask, fields: RecordFields): Span {
    return {
      ...this.#nodeSpan(task),
      runId,
      seq,
      kind: 'step',
      name: fields.name,
      n: fields.n ?? 0,
      ...task.begunOf(fields),
      until: at.getTime(),
      status: fields.error === undefined ? 'executed' : 'failed',
      error: errorOf(fields),
    };
  }

  /** A try failed: of a step, or of the node if no step is named. */
  #fail(record: JournalRecord, fields: RecordFields): void {
    const task = this.#taskAt(placeOf(fields));
    const at = record.at.getTime();
    if (fields.name !== undefined) {
      this.#addCall(record, task, fields);
      task.failed(fields, fields.retryAt ?? at);
      return;
    }
    const { runId, seq } = record;
    const ending = { runId, seq, until: at, status: 'failed', error: errorOf(fields) } as const;
    this.#spans.push({ ...this.#nodeSpan(task), ...ending });
    task.attempt += 1;
    task.begun = fields.retryAt ?? at;
  }

  #wait({ runId, at }: JournalRecord, fields: RecordFields): void {
    if (fields.again === true || fields.answer !== undefined || fields.id === undefined) return;
    const task = this.#taskAt(placeOf(fields));
    const span: Span = {
      ...this.#nodeSpan(task),
      runId,
      kind: fields.kind ?? 'wait',
      name: fields.name,
      n: fields.n ?? 0,
      attempt: 1,
      from: at.getTime(),
      status: 'waiting',
      wait: fields.id,
      childId: fields.child,
    };
    this.#spans.push(span);
    this.#waits.set(fields.id, span);
  }

  #answer(record: JournalRecord, fields: RecordFields): void {
    const { wait, by, refused, checked = false, of, child } = fields;
    const span = wait === undefined ? undefined : this.#waits.get(wait);
    if (span === undefined || refused !== undefined) return;
    // Whoever executes the run has to check the answer first.
    if (!checked && of === undefined && child === undefined) span.by = by;
    else this.#endWait(record, wait, { status: 'executed', by: by ?? span.by });
  }

  #endWait(record: JournalRecord, id: string | undefined, ending: Ending): void {
    const span = this.#waits.get(id ?? '');
    if (span === undefined) return;
    this.#taskAt(span).gave(record.at.getTime());
    this.#finish(span, record, ending);
  }

  #finish(span: Span, { seq, at }: Pick<JournalRecord, 'runId' | 'seq' | 'at'>, ending: Ending): void {
    Object.assign(span, { seq, until: at.getTime(), ...ending });
    this.#waits.delete(span.wait ?? '');
  }

  #endRun(record: JournalRecord, fields: RecordFields): void {
    const status = fields.status === 'failed' ? 'failed' : 'cancelled';
    for (const task of this.#tasks.values())
      this.#close(record, task, { status, ...(status === 'failed' && { error: errorOf(fields) }) });
    this.#tasks.clear();
  }

  #waitsOf({ node, item }: TaskPlace): readonly Span[] {
    return [...this.#waits.values()].filter((wait) => wait.node === node && wait.item === item);
  }

  /** The tasks that had not ended are executed again; what they had finished is given back to them. */
  #takeOver({ runId, seq }: JournalRecord, mark: TakeoverMark): void {
    let killed = 0;
    const replayed = new Set<Span>();
    for (const task of this.#tasks.values()) {
      for (const span of task.spans) replayed.add(span);
      if (this.#waitsOf(task.place).length > 0) continue;
      const span = this.#nodeSpan(task);
      killed += 1;
      this.#spans.push({ ...span, until: task.takenOver(mark, this.#lastAt), status: 'killed' });
    }
    const ended = this.#spans.filter((span) => span.seq !== null);
    for (const span of ended) span.mark = replayed.has(span) ? 'replayed' : 'kept';
    const kept = ended.length - replayed.size;
    this.#takeovers.push({ ...mark, runId, seq, lastAt: this.#lastAt, kept, replayed: replayed.size, killed });
  }
}

function placeOf({ node = '', item }: RecordFields): TaskPlace {
  return { node, item };
}

/** Whether a result is a step's. What a body draws, takes or starts is no bar of its own. */
function isStep({ type, take, child }: RecordFields): boolean {
  return type === undefined ? take === undefined && child === undefined : type === 'step';
}

function errorOf({ error }: RecordFields): Span['error'] {
  if (error === undefined) return undefined;
  const { code, message } = error;
  return { ...(code !== undefined && { code }), ...(message !== undefined && { message }) };
}
