import type { RunDetailsJson, RunJson, WaitHeadJson } from '@holdfast/server/client';
import { dayAndClock } from '../format/time.ts';
import { shownText } from '../part/ask-text.ts';

const waitWords: Readonly<Record<WaitHeadJson['kind'], string>> = {
  ask: 'asks',
  sleep: 'sleeps',
  receive: 'waits for the message',
  pause: 'paused at',
  child: 'waits for',
  effect: 'unknown outcome of',
};

/** The node that a run is at: `approve`, `end`. Empty until it is known. */
export function atOf({ status }: Pick<RunJson, 'status'>, details: Pick<RunDetailsJson, 'next'> | undefined): string {
  if (status === 'completed') return 'end';
  return status === 'cancelled' ? '' : (details?.next.join(', ') ?? '');
}

/** The one thing worth saying about a run in a list; with its details, why it failed or what it asks. */
export function detailOf(run: RunJson, details?: RunDetailsJson): string {
  const { status, waits, refusals, forkedAt, wakeAt, parentId } = run;
  const [refusal] = refusals;
  if (status === 'failed' && details?.error !== undefined) {
    const { name, message } = errorText(details.error);
    return `${name}: ${message}`;
  }
  if (status === 'cancelled' && details?.reason !== undefined) return `cancelled: ${details.reason}`;
  const asked = status === 'waiting' ? details?.open.find(({ kind }) => kind === 'ask') : undefined;
  if (asked !== undefined && waits.length === 1) return `${asked.name}: ${shownText(asked.show, asked.name)}`;
  if (refusal !== undefined && status !== 'completed') return `${refusal.code}: ${refusal.message}`;
  const [wait] = waits;
  if (wait !== undefined) return waitText(wait, wakeAt) + (waits.length > 1 ? ` and ${waits.length - 1} more` : '');
  if (forkedAt !== null) return `fork of ${forkedAt}`;
  return parentId === null ? '' : `child of ${parentId}`;
}

function waitText({ kind, name }: WaitHeadJson, wakeAt: string | null): string {
  if (kind === 'sleep' && wakeAt !== null) return `until ${dayAndClock(wakeAt)}`;
  return `${waitWords[kind]} ${name === '.graph' ? 'an inner graph' : name}`;
}

/** Whether a run will not go on by itself any more. */
export function hasEnded({ status }: Pick<RunJson, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Tags as they are written in a query: `tier=gold`. */
export function tagTexts(tags: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(tags).map(([name, value]) => `${name}=${value}`);
}

/** What an error says, in one line. Errors are whatever was thrown. */
export function errorText(error: unknown): { readonly name: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error) };
  const { code, name, message, cause } = error as Readonly<Record<string, unknown>>;
  // A node's failure is the engine's fact; what people look for is what the node threw.
  const isWrapper = code === 'HOLDFAST_NODE_FAILED' || code === 'HOLDFAST_STEP_FAILED';
  if (isWrapper && typeof cause === 'object' && cause !== null) return errorText(cause);
  return { name: textOf(code) ?? textOf(name) ?? 'Error', message: textOf(message) ?? '' };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
