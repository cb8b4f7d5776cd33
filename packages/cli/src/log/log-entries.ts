import type { JournalRecord, RunStatus } from 'holdfast';
import { failureText } from '../live/failed-attempt.ts';
import { oneLine, printable } from '../output/printable.ts';
import { shortFields } from '../output/short-value.ts';

/** One line of a log. */
export interface LogEntry {
  readonly runId: string;
  readonly seq: number;
  readonly nodes: string;
  readonly what: string;
  readonly at: Date;
}

/** The payload fields that a log reads. Which ones exist depends on the record's kind. */
interface Payload {
  readonly next?: readonly string[];
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly counts?: Readonly<Record<string, number>>;
  readonly node?: string;
  readonly nodes?: readonly string[];
  readonly name?: string;
  readonly id?: string;
  readonly kind?: string;
  readonly wait?: string;
  readonly answer?: number;
  readonly again?: boolean;
  readonly value?: unknown;
  readonly refused?: { readonly message: string };
  readonly by?: string;
  readonly label?: string;
  readonly status?: string;
  readonly error?: { readonly code?: string; readonly message: string; readonly cause?: unknown };
  readonly reason?: string;
  readonly retryAt?: number;
  readonly turn?: string;
  readonly when?: string;
  readonly version?: number;
  readonly key?: string;
  readonly outcome?: unknown;
  readonly input?: unknown;
  readonly message?: string;
  readonly data?: unknown;
}

/** The parts of a run's summary that its journal does not contain. */
export interface Standing {
  readonly id: string;
  readonly status: RunStatus;
  readonly head: number;
}

interface Reading {
  frontier: readonly string[];
  readonly tries: Map<string, number>;
  readonly waits: Map<
    string,
    { readonly node: string; readonly what: string; readonly seq: number; readonly at: Date }
  >;
}

/** The log of one run, oldest first. Records inherited from a base run are read, but not logged. */
export function logEntries(records: readonly JournalRecord[], { id, status, head }: Standing): readonly LogEntry[] {
  const reading: Reading = { frontier: [], tries: new Map(), waits: new Map() };
  const entries: LogEntry[] = [];
  for (const record of records) {
    const told = read(reading, record);
    if (told !== undefined && record.runId === id) entries.push({ runId: id, seq: record.seq, at: record.at, ...told });
  }
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') {
    for (const { node, what, seq, at } of reading.waits.values())
      entries.push({ runId: id, seq, at, nodes: node, what });
    const last = records.at(-1);
    // A suspended fork ends at its first record, which already says so.
    if (reading.waits.size === 0 && reading.frontier.length > 0 && last !== undefined && status === 'running') {
      entries.push({ runId: id, seq: head, at: last.at, nodes: together(reading.frontier), what: status });
    }
  }
  return entries.toSorted((left, right) => left.seq - right.seq);
}

type Told = Pick<LogEntry, 'nodes' | 'what'> | undefined;

function read(reading: Reading, { kind, seq, at, payload: given, id, source }: JournalRecord): Told {
  const payload = (typeof given === 'object' && given !== null ? given : {}) as Payload;
  const node = printable(payload.node ?? '');
  switch (kind) {
    case 'run-start':
    case 'turn':
      reading.frontier = payload.next ?? [];
      return {
        nodes: 'start',
        what: payload.turn === undefined ? changed(payload.delta) : `turn ${printable(payload.turn)}`,
      };
    case 'superstep':
      return readStep(reading, payload);
    case 'attempt':
      if (payload.name === undefined) reading.tries.set(node, (reading.tries.get(node) ?? 0) + 1);
      return failedAttempt(payload, at);
    case 'wait':
      if (payload.again !== true && payload.answer === undefined) {
        reading.waits.set(payload.id ?? '', { node, what: waiting(payload), seq, at });
      }
      return undefined;
    case 'answer':
    case 'timer':
    case 'settle':
      return readWaitEnd(reading, kind, payload);
    case 'result':
      // A message was received or a child ended, so the wait is over.
      for (const [wait, open] of reading.waits)
        if (open.node === node && open.what.endsWith(` ${payload.name}`)) reading.waits.delete(wait);
      return failedAttempt(payload, at);
    case 'message':
      return payload.name === undefined
        ? undefined
        : { nodes: 'message', what: `${printable(payload.name)} ${shortFields(payload.value, 40)}` };
    case 'log':
      return { nodes: node, what: logged(payload) };
    case 'note':
      return { nodes: 'note', what: `${source} ${printable(id)}` };
    default:
      return readTurningPoint(reading, kind, payload);
  }
}

/** A line that a body logged. */
function logged({ message = '', data }: Payload): string {
  return data === undefined ? oneLine(message) : `${oneLine(message)} ${shortFields(data, 60)}`;
}

/** A failed attempt of a node, or of the step `name` of a node. */
function failedAttempt({ node = '', name, error, retryAt }: Payload, at: Date): Told {
  if (error === undefined) return undefined;
  const what = name === undefined ? 'failed' : `${printable(name)} failed`;
  const next = retryAt === undefined ? undefined : new Date(retryAt);
  return { nodes: printable(node), what: what + failureText({ step: name, at, retryAt: next, error }) };
}

function readStep(reading: Reading, { next = [], delta, counts = {} }: Payload): Told {
  const nodes = reading.frontier.map((node) => (counts[node] === undefined ? node : `${node}×${counts[node]}`));
  const tries = [...reading.tries].map(([node, failed]) => `${node}: ${failed + 1} tries`);
  reading.frontier = next;
  reading.tries.clear();
  reading.waits.clear();
  const often = tries.length === 0 ? '' : ` (${tries.join(', ')})`;
  return { nodes: together(nodes), what: `${changed(delta)}${often}` };
}

function readWaitEnd(reading: Reading, kind: string, payload: Payload): Told {
  const { wait = payload.key ?? '', by, refused, value } = payload;
  const open = reading.waits.get(wait);
  const nodes = open?.node ?? printable(payload.name ?? '');
  if (refused !== undefined) return { nodes, what: `answer refused: ${oneLine(refused.message)}` };
  reading.waits.delete(wait);
  if (kind === 'timer') return open === undefined ? undefined : { nodes, what: 'timed out' };
  if (kind === 'settle') return { nodes, what: `settled ${shortFields(payload.outcome, 40)}` };
  if (!('value' in payload) || payload.name === undefined) return undefined;
  return { nodes, what: `answered ${shortFields(value, 40)}${by === undefined ? '' : ` by ${printable(by)}`}` };
}

function readTurningPoint(reading: Reading, kind: string, payload: Payload): Told {
  switch (kind) {
    case 'fork':
      if (payload.next !== undefined) reading.frontier = payload.next;
      return { nodes: 'fork', what: payload.delta === undefined ? 'as it was' : `set ${names(payload.delta)}` };
    case 'pause':
      return { nodes: together(payload.nodes ?? []), what: `paused ${payload.when ?? ''}` };
    case 'resume':
      return { nodes: 'resume', what: '' };
    case 'cancel':
      return { nodes: 'cancel', what: printable(payload.reason ?? '') };
    case 'migrate':
      return { nodes: 'migrate', what: `to version ${payload.version}` };
    case 'run-end': {
      const why = payload.error?.message ?? payload.reason;
      return { nodes: 'end', what: why === undefined ? (payload.status ?? '') : `${payload.status}: ${oneLine(why)}` };
    }
    case 'checkpoint':
      return { nodes: 'checkpoint', what: printable(payload.label ?? '') };
    default:
      return undefined;
  }
}

function waiting({ kind, name }: Payload): string {
  if (kind === 'ask') return 'waiting';
  // Names that begin with a dot are not the user's.
  const own = name === undefined || (name.startsWith('.') && kind !== 'receive') ? '' : ` ${printable(name)}`;
  return `waiting: ${kind}${own}`;
}

function together(nodes: readonly string[]): string {
  return nodes.map(printable).join(' ∥ ');
}

function changed(delta: Payload['delta']): string {
  const channels = Object.keys(delta ?? {});
  if (channels.length === 0) return 'nothing changed';
  return channels.length <= 3 ? `changed ${names(delta)}` : `${channels.length} channels changed`;
}

function names(delta: Payload['delta']): string {
  return Object.keys(delta ?? {})
    .map(printable)
    .join(', ');
}
