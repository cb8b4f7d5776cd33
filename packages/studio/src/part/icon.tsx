import type { JSX } from 'preact';
import { type IconName, iconShapes } from './icon-shapes.ts';

/** Options of an icon. */
interface IconProps {
  readonly name: IconName;
  readonly class?: string | undefined;
}

/** An icon. It is never alone: a word beside it, or the label of its button, says what it means. */
export function Icon({ name, class: className = '' }: IconProps): JSX.Element {
  return (
    <svg
      class={`i ${className}`}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: iconShapes[name] }}
    />
  );
}

/** An icon inside another picture. */
export function IconAt({
  name,
  x,
  y,
  size,
  class: className = '',
}: IconProps & { readonly x: number; readonly y: number; readonly size: number }): JSX.Element {
  return (
    <svg
      x={x}
      y={y}
      width={size}
      height={size}
      class={className}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      dangerouslySetInnerHTML={{ __html: iconShapes[name] }}
    />
  );
}

/** The mark of Holdfast. */
export function Logo(): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path
        d="M12 1.8V4.2C12 9.3 3.7 8.6 3.7 15.9c0 2.5.9 4.6 2.5 6.2M12 4.2c0 5.1 8.3 4.4 8.3 11.7 0 2.5-.9 4.6-2.5 6.2"
        stroke="currentColor"
        stroke-width="2.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <circle cx="12" cy="16.7" r="3.9" fill="currentColor" />
    </svg>
  );
}
