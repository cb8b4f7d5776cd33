import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-shapes.ts';

const kinds = { waiting: 'wa', failed: 'fa', running: 'ru', info: 'inf', suspended: 'su', done: 'ok' } as const;

/** A fact in bold, and what follows from it. */
export function Note({
  kind,
  icon,
  action,
  children,
}: {
  readonly kind: keyof typeof kinds;
  readonly icon: IconName;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`note ${kinds[kind]}`} role={kind === 'failed' ? 'alert' : undefined}>
      <Icon name={icon} />
      <div class="grow">{children}</div>
      {action}
    </div>
  );
}
