import type { ComponentChildren, JSX } from 'preact';
import { readOnlyReason } from '../api/live.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-shapes.ts';

/** How a button looks. One of a view is `primary`. */
export interface ButtonProps {
  readonly kind?: 'primary' | 'plain' | 'ghost' | 'danger';
  readonly isSmall?: boolean;
  readonly icon?: IconName | undefined;
  readonly iconAfter?: IconName | undefined;
  /** The key that does the same. */
  readonly keys?: string | undefined;
  /** Says what the button does if it has no text. */
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  readonly type?: 'button' | 'submit';
  readonly isDisabled?: boolean;
  readonly class?: string;
  readonly onClick?: ((event: MouseEvent) => void) | undefined;
  readonly children?: ComponentChildren;
}

const kinds = { primary: 'pri', plain: '', ghost: 'ghost', danger: 'danger' } as const;

/** A button. */
export function Button(props: ButtonProps): JSX.Element {
  const { kind = 'plain', isSmall = false, label, title, type = 'button', isDisabled = false, onClick } = props;
  return (
    <button
      type={type}
      class={classOf({ kind, isSmall, isIcon: props.children === undefined, given: props.class })}
      aria-label={label}
      title={title ?? label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Inside {...props} />
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ href, ...props }: ButtonProps & { readonly href: string }): JSX.Element {
  const { kind = 'plain', isSmall = false, label, title } = props;
  const isIcon = props.children === undefined;
  return (
    <a
      href={href}
      class={classOf({ kind, isSmall, isIcon, given: props.class })}
      aria-label={label}
      title={title ?? label}
    >
      <Inside {...props} />
    </a>
  );
}

/** A button that changes something. It is off, and says why, while nothing can be changed. */
export function CommandButton(props: ButtonProps): JSX.Element {
  const reason = readOnlyReason.value;
  return (
    <Button {...props} isDisabled={reason !== undefined || props.isDisabled === true} title={reason ?? props.title} />
  );
}

function Inside({ icon, iconAfter, keys, children }: ButtonProps): JSX.Element {
  return (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {keys !== undefined && (
        <kbd class="hide-n" aria-hidden="true">
          {keys}
        </kbd>
      )}
      {iconAfter !== undefined && <Icon name={iconAfter} />}
    </>
  );
}

interface Look {
  readonly kind: keyof typeof kinds;
  readonly isSmall: boolean;
  readonly isIcon: boolean;
  readonly given: string | undefined;
}

function classOf({ kind, isSmall, isIcon, given }: Look): string {
  return ['btn', kinds[kind], isSmall && 's', isIcon && 'icon', given].filter(Boolean).join(' ');
}
