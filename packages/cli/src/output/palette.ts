import { styleText } from 'node:util';
import type { RunStatus } from 'holdfast';

const styles = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;
/** A text style. */
export type Style = (typeof styles)[number];
/** Functions that style text, or return it unchanged if colours are off. */
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
  const entries = styles.map((style) => [
    style,
    (text: string): string => (isColored && text !== '' ? styleText(style, text, { validateStream: false }) : text),
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
