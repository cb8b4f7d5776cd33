import { ClientError } from '@holdfast/server/client';
import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../api/use-load.ts';
import { Button } from './button.tsx';
import { CommandLine } from './copy/copy.tsx';
import { Icon, Logo } from './icon.tsx';
import { problemOf } from './problems.ts';

/** Nothing is there: one fact, one command, one thing to do. */
export function Empty({
  title,
  command,
  action,
  children,
}: {
  readonly title: string;
  readonly command?: string | undefined;
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="state">
      <span class="em">
        <Logo />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <CommandLine command={command} />}
      {action !== undefined && <div class="row">{action}</div>}
    </div>
  );
}

const widths = [62, 48, 71, 55, 66, 43, 58, 50];

/** Rows of the real height, without any movement. */
export function Skeleton({ rows = 6, what }: { readonly rows?: number; readonly what: string }): JSX.Element {
  return (
    <div class="sk" role="status" aria-busy="true">
      <span class="sr">Loading {what}</span>
      {widths.slice(0, rows).map((width) => (
        <div class="skr" key={width} aria-hidden="true">
          <i class="dot" />
          <i style={{ width: '64px' }} />
          <i style={{ width: `${width + 20}px` }} />
          <span class="grow" />
          <i style={{ width: `${width}px` }} />
          <i style={{ width: '34px' }} />
        </div>
      ))}
    </div>
  );
}

/** What went wrong: a sentence, the code, and what to do. */
export function Problem({
  error,
  onRetry,
}: {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
}): JSX.Element {
  const { icon, tone, title, advice, command, isFinal = false } = problemOf(error);
  const code = error instanceof ClientError ? error.code : undefined;
  return (
    <div class="state" role="alert">
      <span class={`ic ${tone}`}>
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p>{advice}</p>
      {code !== undefined && <p class="code">{code}</p>}
      {command !== undefined && <CommandLine command={command} />}
      {onRetry !== undefined && !isFinal && (
        <div class="row">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/** Shows what is loaded, or why it is not there. */
export function Shown<T>({
  of,
  what,
  rows,
  children,
}: {
  readonly of: Loaded<T>;
  /** For a screen reader: `runs`. */
  readonly what: string;
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
}): JSX.Element | null {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error !== undefined) return <Problem error={of.error} onRetry={of.reload} />;
  return of.isSlow ? <Skeleton what={what} {...(rows !== undefined && { rows })} /> : null;
}
