import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { announce } from '../../shell/announce.ts';
import { Button } from '../button.tsx';
import { Icon } from '../icon.tsx';
import type { CopyForms } from './copy-forms.ts';

/** Puts a text into the clipboard, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}.`);
  } catch {
    announce('The browser did not allow copying.');
  }
}

/** A command of a terminal, to copy. */
export function CommandLine({ command }: { readonly command: string }): JSX.Element {
  return (
    <div class="cmd">
      <span class="cut" title={command}>
        {command}
      </span>
      <Button
        kind="ghost"
        isSmall
        icon="copy"
        label="Copy the command"
        onClick={() => void copy(command, 'the command')}
      />
    </div>
  );
}

const forms = [
  ['cli', 'Command line'],
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
] as const;

/** The twin of an action: the same in a terminal, over HTTP and in code. */
export function CopyAs({
  given,
  what = '',
  isSmall = false,
  hasText = true,
  kind = 'plain',
}: {
  readonly given: () => CopyForms;
  /** For a screen reader, where a page has several: `the resume of triage`. */
  readonly what?: string;
  readonly isSmall?: boolean;
  /** False: icons alone, where the button stands in each row. */
  readonly hasText?: boolean;
  readonly kind?: 'plain' | 'ghost';
}): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`btn ${kind === 'ghost' ? 'ghost' : ''}${isSmall ? ' s' : ''}`}
        popovertarget={id}
        title={hasText ? undefined : 'Copy as'}
      >
        <Icon name="copy" />
        {hasText && 'Copy as'}
        {what !== '' && <span class="sr"> Copy {what} as</span>}
        <Icon name="down" />
      </button>
      <div id={id} popover="auto" class="menu" onToggle={(event) => placeUnder(event.currentTarget, button.current)}>
        {forms.map(([name, title]) => (
          <button
            key={name}
            type="button"
            popovertarget={id}
            popovertargetaction="hide"
            onClick={() => void copy(given()[name], `it as ${title}`)}
          >
            {title}
          </button>
        ))}
      </div>
    </>
  );
}

const gap = 4;

/** Puts a menu below its button, or above it where there is no room: a popover belongs to no box of the page. */
function placeUnder(menu: HTMLElement, button: HTMLElement | null): void {
  if (button === null) return;
  const { left, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isBelow = bottom + gap + height <= innerHeight;
  menu.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
  menu.style.top = `${isBelow ? bottom + gap : top - gap - height}px`;
}
