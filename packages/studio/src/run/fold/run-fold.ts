import type { RecordJson } from '@holdfast/server/client';
import { OpenTask } from './open-task.ts';
import { Payload } from './payload.ts';
import { problemFrom } from './problem.ts';
import type { FailedTry, LogLine, Span, Story, SuperstepStory, TakenOver, TaskStory, WaitStory } from './story.ts';
import { takeoverOf } from './takeover-of.ts';

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Where a record says that something happened. */
interface Moment {
  readonly at: number;
  readonly seq: number;
}

/** Reads a journal in order, and tells at any time what happened so far. A gap at the start only leaves things out. */
export class RunFold {
  readonly #takeovers: TakenOver[] = [];
  readonly #supersteps: Open<SuperstepStory>[] = [];
  readonly #done: TaskStory[] = [];
  readonly #spans: Span[] = [];
  readonly #waits: Open<WaitStory>[] = [];
  readonly #openWaits = new Map<string, Open<WaitStory>>();
  readonly #failures: FailedTry[] = [];
  readonly #logs: LogLine[] = [];
  readonly #onceNodes = new Set<string>();
  #open = new Map<string, OpenTask>();
  #end: Story['end'];
  #from: number | undefined;
  #to: number | undefined;
  #lastSeq = 0;

  /** The seq of the last record that was read. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  add(record: RecordJson): void {
    const at = Date.parse(record.at);
    const takeover = takeoverOf(record, this.#to ?? at);
    if (takeover !== undefined) this.#takeOver({ ...takeover, superstep: this.#current?.index ?? 0 });
    this.#from ??= at;
    this.#to = at;
    this.#lastSeq = record.seq;
    this.#record(record, new Payload(record), { at, seq: record.seq });
  }

  story(): Story {
    const open = [...this.#open.values()];
    const tasks = [...this.#done, ...open.map((task) => task.story())];
    const spans = [
      ...this.#spans,
      ...open.flatMap((task) => [...task.spans, ...(this.#end === undefined ? task.open(this.#lastSeq) : [])]),
    ];
    for (const wait of this.#openWaits.values()) spans.push(waitSpan(wait, undefined));
    return {
      supersteps: [...this.#supersteps],
      tasks,
      spans,
      waits: [...this.#waits],
      failures: [...this.#failures],
      logs: [...this.#logs],
      takeovers: [...this.#takeovers],
      onceNodes: new Set(this.#onceNodes),
      from: this.#from,
      to: this.#to,
      activeMs: tasks.reduce((sum, { activeMs }) => sum + activeMs, 0),
      end: this.#end,
      lastSeq: this.#lastSeq,
    };
  }

  #record(record: RecordJson, payload: Payload, moment: Moment): void {
    switch (record.kind) {
      case 'run-start':
      case 'turn':
        return this.#begin(record.runId, payload, moment);
      case 'fork':
        return this.#fork(record.runId, payload, moment);
      case 'result':
        return this.#result(payload, moment);
      case 'intent':
        this.#onceNodes.add(payload.text('node') ?? '');
        return undefined;
      case 'attempt':
        return this.#attempt(record.runId, payload, moment);
      case 'wait':
        return this.#wait(payload, moment);
      case 'answer':
        return this.#answer(payload, moment);
      case 'timer':
        return this.#closeWait(payload.text('wait'), moment);
      case 'settle':
        return this.#closeWait(payload.text('key'), moment, { by: payload.text('by') });
      case 'task':
        return this.#task(payload, moment);
      case 'superstep':
        return this.#superstep(record.runId, payload, moment);
      default:
        return this.#other(record, payload, moment);
    }
  }

  #other(record: RecordJson, payload: Payload, { at, seq }: Moment): void {
    if (record.kind === 'log') {
      const { runId } = record;
      const superstep = this.#current?.index ?? 0;
      const line = { runId, seq, at, superstep, node: payload.text('node') ?? '' };
      this.#logs.push({ ...line, message: payload.text('message') ?? '', data: payload.value('data') });
    }
    if (record.kind === 'pause') for (const task of this.#open.values()) task.stops('suspended');
    if (record.kind === 'resume') for (const task of this.#open.values()) task.goesOn(at);
    if (record.kind === 'run-end') this.#runEnd(payload, { at, seq });
  }

  get #current(): Open<SuperstepStory> | undefined {
    const last = this.#supersteps.at(-1);
    return last?.seq === undefined ? last : undefined;
  }

  #begin(runId: string, payload: Payload, { at, seq }: Moment): void {
    this.#end = undefined;
    const changed = payload.keys('delta');
    const index = (this.#supersteps.at(-1)?.index ?? -1) + 1;
    // The first checkpoint is the input: a super-step of no node.
    this.#supersteps.push({ index, runId, nodes: [], from: at, to: at, startSeq: seq, seq, changed });
    this.#openSuperstep(runId, payload.texts('next') ?? [], { at, seq });
  }

  #fork(runId: string, payload: Payload, moment: Moment): void {
    const last = this.#supersteps.findLast(({ seq }) => seq !== undefined);
    const planned = payload.texts('next') ?? this.#current?.nodes ?? [];
    const { at, seq } = moment;
    if (this.#current !== undefined) this.#supersteps.pop();
    this.#open = new Map();
    this.#openWaits.clear();
    this.#end = undefined;
    const index = last?.index ?? 0;
    this.#supersteps.push({
      index,
      runId,
      nodes: [],
      from: at,
      to: at,
      startSeq: seq,
      seq,
      changed: payload.keys('delta'),
    });
    this.#openSuperstep(runId, planned, moment);
  }

  #openSuperstep(runId: string, nodes: readonly string[], { at, seq }: Moment): void {
    this.#open = new Map();
    if (nodes.length === 0) return;
    const index = (this.#supersteps.at(-1)?.index ?? 0) + 1;
    this.#supersteps.push({ index, runId, nodes, from: at, to: undefined, startSeq: seq, seq: undefined, changed: [] });
    for (const node of nodes)
      this.#open.set(keyOf(node, undefined), new OpenTask({ node, item: undefined, superstep: index, from: at }));
  }

  #taskOf(payload: Payload): OpenTask | undefined {
    const node = payload.text('node');
    const current = this.#current;
    if (node === undefined || current === undefined) return undefined;
    const item = payload.number('item');
    const key = keyOf(node, item);
    const found = this.#open.get(key);
    if (found !== undefined) return found;
    const task = new OpenTask({ node, item, superstep: current.index, from: current.from });
    // The items of an `each` stand for the node itself.
    if (item !== undefined) this.#open.delete(keyOf(node, undefined));
    this.#open.set(key, task);
    return task;
  }

  #result(payload: Payload, moment: Moment): void {
    const task = this.#taskOf(payload);
    const name = payload.text('name') ?? '';
    const open = [...this.#openWaits.values()].find(
      (wait) => wait.node === payload.text('node') && wait.item === payload.number('item') && wait.name === name,
    );
    if (open !== undefined) return this.#closeWait(open.id, moment, { value: payload.value('value') });
    task?.ran(payload.has('error') ? 'failed' : 'done', { ...moment, what: name });
  }

  #attempt(runId: string, payload: Payload, { at, seq }: Moment): void {
    const task = this.#taskOf(payload);
    const error = problemFrom(payload.value('error'));
    const retryAt = payload.time('retryAt');
    const node = payload.text('node') ?? '';
    const item = payload.number('item');
    const step = payload.text('name');
    if (task !== undefined) {
      task.failures += 1;
      task.ran('failed', { at, seq, what: error.message });
      if (retryAt !== undefined) task.backsOff(at, retryAt, seq);
    }
    const superstep = this.#current?.index ?? 0;
    const before = this.#failures.findLast(
      (each) => each.superstep !== superstep || (each.node === node && each.step === step && each.item === item),
    );
    const attempt = before?.superstep === superstep ? before.attempt + 1 : 1;
    this.#failures.push({ runId, seq, at, node, item, step, attempt, error, retryAt, superstep });
  }

  #wait(payload: Payload, { at, seq }: Moment): void {
    const id = payload.text('id');
    const task = this.#taskOf(payload);
    const kind = payload.text('kind') ?? 'ask';
    const isInner = payload.text('name') === '.graph';
    const name = isInner ? (payload.text('node') ?? '') : (payload.text('name') ?? '');
    if (id === undefined || this.#openWaits.has(id)) return task?.parks(name);
    task?.ran('done', { at, seq, what: `until ${name}` });
    task?.parks(name);
    const wait: Open<WaitStory> = {
      id,
      kind,
      name: isInner ? '.graph' : name,
      node: payload.text('node') ?? '',
      item: payload.number('item'),
      seq,
      superstep: this.#current?.index ?? 0,
      from: at,
      to: undefined,
      until: payload.time('until'),
      childId: payload.text('child'),
      show: payload.value('show'),
      schema: payload.value('schema'),
      value: undefined,
      by: undefined,
    };
    this.#waits.push(wait);
    this.#openWaits.set(id, wait);
  }

  #answer(payload: Payload, moment: Moment): void {
    // The executor's verdict on an earlier answer: refused, the question stays open.
    if (payload.has('refused')) return undefined;
    const id =
      payload.text('wait') ?? [...this.#openWaits.values()].find(({ name }) => name === payload.text('name'))?.id;
    return this.#closeWait(id, moment, { by: payload.text('by'), value: payload.value('value') });
  }

  #closeWait(id: string | undefined, { at, seq }: Moment, given: Partial<Pick<WaitStory, 'by' | 'value'>> = {}): void {
    const wait = id === undefined ? undefined : this.#openWaits.get(id);
    if (wait === undefined) return;
    this.#openWaits.delete(wait.id);
    Object.assign(wait, { to: at, ...given });
    const task = this.#open.get(keyOf(wait.node, wait.item));
    if (task === undefined) this.#spans.push(waitSpan(wait, at));
    else task.waited(wait.from, { at, seq, what: wait.name });
  }

  #task(payload: Payload, moment: Moment): void {
    const task = this.#taskOf(payload);
    task?.ran('done', { ...moment, what: payload.text('node') ?? '' });
    task?.ends('completed', moment.at);
  }

  #superstep(runId: string, payload: Payload, moment: Moment): void {
    const { at, seq } = moment;
    for (const task of this.#open.values()) {
      if (!task.isDone) task.ran('done', { ...moment, what: task.node });
      task.ends('completed', at);
    }
    this.#closeSuperstep({ at, seq, changed: payload.keys('delta') });
    this.#openSuperstep(runId, payload.texts('next') ?? [], moment);
  }

  #closeSuperstep({ at, seq, changed }: Moment & { readonly changed: readonly string[] }): void {
    for (const task of this.#open.values()) {
      this.#spans.push(...task.spans);
      this.#done.push(task.story());
    }
    this.#open = new Map();
    const current = this.#current;
    if (current !== undefined) Object.assign(current, { to: at, seq, changed });
  }

  #runEnd(payload: Payload, { at, seq }: Moment): void {
    const status = payload.text('status') ?? 'completed';
    const isFailed = status === 'failed';
    for (const wait of this.#openWaits.values()) this.#spans.push(waitSpan(wait, at));
    this.#openWaits.clear();
    for (const task of this.#open.values()) {
      if (task.isDone) continue;
      task.ran(isFailed && task.failures > 0 ? 'failed' : 'cancelled', { at, seq, what: status });
      task.ends(isFailed ? 'failed' : 'cancelled', at);
    }
    const error = payload.has('error') ? problemFrom(payload.value('error')) : undefined;
    this.#end = { status, error, at, seq };
  }

  #takeOver(takeover: TakenOver): void {
    this.#takeovers.push(takeover);
    for (const task of this.#open.values()) if (!task.isDone) task.isTakenOver(takeover);
  }
}

function keyOf(node: string, item: number | undefined): string {
  return item === undefined ? node : `${node} ${item}`;
}

function waitSpan(wait: WaitStory, to: number | undefined): Span {
  const { node, item, from, name, seq, superstep } = wait;
  return {
    node,
    item,
    kind: 'wait',
    from,
    to,
    end: to === undefined ? 'open' : 'done',
    what: name === '.graph' ? node : name,
    seq,
    superstep,
  };
}
