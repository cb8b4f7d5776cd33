import type { JSX } from 'preact';
import { now } from '../api/live.ts';
import { age, duration, exact } from '../format/time.ts';

/** An age that advances once a second. The exact time is in its title. */
export function Age({ at, class: className }: { readonly at: string; readonly class?: string }): JSX.Element {
  return (
    <time dateTime={at} title={exact(at)} class={className}>
      {age(at, now.value)}
    </time>
  );
}

/** How long something took; undefined end: how long it has taken so far. */
export function Took({ from, to }: { readonly from: string; readonly to: string | undefined }): JSX.Element {
  const end = to === undefined ? now.value : Date.parse(to);
  return (
    <span title={exact(from)}>{duration(Math.max(0, end - Date.parse(from)), { isRunning: to === undefined })}</span>
  );
}
