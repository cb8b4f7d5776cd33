import type { RunJson } from '@holdfast/server/client';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-shapes.ts';

/** The status of a run. */
export type Status = RunJson['status'];

/** A status: its icon, its word and its colour, always all three. */
export function StatusLabel({
  status,
  isPill = false,
  children,
}: {
  readonly status: Status;
  readonly isPill?: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <span class={`st ${status}${isPill ? ' pill' : ''}`}>
      <Icon name={status} />
      {children ?? status}
    </span>
  );
}

/** What became of a call. */
export type CallMark = 'executed' | 'replayed' | 'kept' | 'killed' | 'failed' | 'executing' | 'waiting';

const callMarks: Readonly<Record<CallMark, readonly [className: string, icon: IconName]>> = {
  executed: ['ex', 'bolt'],
  replayed: ['re', 'replay'],
  kept: ['ke', 'check'],
  killed: ['ki', 'skull'],
  failed: ['fa', 'x'],
  executing: ['ru', 'running'],
  waiting: ['wa', 'waiting'],
};

/** What became of a call, with its icon and its word. */
export function Mark({
  mark,
  children,
}: {
  readonly mark: CallMark;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const [className, icon] = callMarks[mark];
  return (
    <span class={`mark ${className}`}>
      <Icon name={icon} />
      {children ?? mark}
    </span>
  );
}
