import type { CallerJson } from '@holdfast/server/client';
import { ClientError } from '@holdfast/server/client';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** How the page stands to its server. Stale: there was no answer for so long that what is shown may be wrong. */
export type Connection = 'live' | 'reconnecting' | 'stale';

const staleMs = 15_000;

/** The time, once a second: what is shown as an age advances together. */
export const now: Signal<number> = signal(Date.now());
/** When the server last answered. */
export const lastAnswer: Signal<number> = signal(Date.now());
const isLost = signal(false);
/** How many tries have failed since. */
export const failedTries: Signal<number> = signal(0);
/** Who the server takes the viewer for. */
export const caller: Signal<CallerJson | undefined> = signal(undefined);

export const connection: ReadonlySignal<Connection> = computed(() => {
  if (!isLost.value) return 'live';
  return now.value - lastAnswer.value > staleMs ? 'stale' : 'reconnecting';
});

/** Why nothing can be changed from here right now. Undefined: it can. */
export const readOnlyReason: ReadonlySignal<string | undefined> = computed(() => {
  if (connection.value !== 'live') return 'Off until the connection is back.';
  if (caller.value === undefined) return 'The server has not said yet who you are.';
  return caller.value.readOnly ? 'Only reading is allowed here.' : undefined;
});

/** The server answered, if only with a refusal. */
export function noteAnswer(): void {
  lastAnswer.value = Date.now();
  failedTries.value = 0;
  isLost.value = false;
}

/** A connection broke, or could not be made. */
export function noteLoss(): void {
  failedTries.value += 1;
  isLost.value = true;
}

/** Whether an error means that the server could not be reached, rather than that it refused. */
export function isUnreachable(error: unknown): boolean {
  return !(error instanceof ClientError) || error.code === 'HTTP_TIMEOUT' || error.status === 502;
}

/** Runs a request and notes what it says about the connection. */
export async function asked<T>(request: Promise<T>): Promise<T> {
  try {
    const answer = await request;
    noteAnswer();
    return answer;
  } catch (error) {
    if (isUnreachable(error)) noteLoss();
    else noteAnswer();
    throw error;
  }
}
