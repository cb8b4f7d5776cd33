import type { RunStatus } from 'holdfast';
import { styleMark } from './style-marks.ts';

/** The codes that begin and end each style. */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
/** A text style. */
export type Style = keyof typeof styles;
/** Functions that mark text for `Output` to style, or return it unchanged if colours are off. */
export type Palette = Readonly<Record<Style, (text: string) => string>>;

/** Whether to use colours: NO_COLOR (https://no-color.org), then FORCE_COLOR, otherwise only on a terminal. */
export function wantsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

/** A palette with or without colours. */
export function paletteOf(isColored: boolean): Palette {
  const entries = Object.entries(styles).map(([style, [begin, end]]) => [
    style,
    (text: string): string => (isColored && text !== '' ? `${styleMark(begin)}${text}${styleMark(end)}` : text),
  ]);
  return Object.fromEntries(entries) as Palette;
}

/** The style of a status. */
export function styleOf(status: RunStatus): Style {
  switch (status) {
    case 'completed':
      return 'green';
    case 'failed':
      return 'red';
    case 'waiting':
    case 'suspended':
      return 'yellow';
    case 'running':
      return 'cyan';
    case 'pending':
    case 'cancelled':
      return 'dim';
  }
}
