import type { OverviewJson } from '@holdfast/server/client';
import { type Signal, signal } from '@preact/signals';
import { client } from './client.ts';
import { asked, caller, isUnreachable, now } from './live.ts';

const pulseMs = 2_500;
const slowestMs = 10_000;

/** Grows when lists should be asked for again: all of them together, so that a busy store costs a page no more than a quiet one. */
export const pulse: Signal<number> = signal(0);
/** The counts that every page shows. */
export const overview: Signal<OverviewJson | undefined> = signal(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;
let delayMs = pulseMs;

/** Asks for everything that is shown again, at once. */
export function refresh(): void {
  clearTimeout(timer);
  void beat();
}

/** Starts the clock and the pulse. A page that nobody looks at asks for nothing. */
export function startPulse(): void {
  setInterval(() => {
    now.value = Date.now();
  }, 1_000);
  document.addEventListener('visibilitychange', refresh);
  globalThis.addEventListener('online', refresh);
  void beat();
}

async function beat(): Promise<void> {
  if (document.visibilityState === 'visible') {
    try {
      caller.value ??= await asked(client.caller());
      overview.value = await asked(client.overview());
      delayMs = pulseMs;
      pulse.value += 1;
    } catch (error) {
      // A refusal is shown by the page, whose own requests are refused too.
      if (isUnreachable(error)) delayMs = Math.min(2 * delayMs, slowestMs);
      else pulse.value += 1;
    }
  }
  clearTimeout(timer);
  timer = setTimeout(() => void beat(), delayMs);
}
