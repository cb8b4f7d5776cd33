import { type Signal, signal } from '@preact/signals';

/** What a screen reader is told, and the line at the foot of the page shows for a while. */
export const announcement: Signal<string> = signal('');

let timer: ReturnType<typeof setTimeout> | undefined;
const shownMs = 6_000;

/** Says what happened. */
export function announce(text: string): void {
  clearTimeout(timer);
  announcement.value = text;
  timer = setTimeout(() => {
    announcement.value = '';
  }, shownMs);
}
