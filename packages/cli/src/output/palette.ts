import { styleText } from 'node:util';
import type { RunStatus } from 'holdfast';

const styles = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;
/** A colour or weight that we use. */
export type Style = (typeof styles)[number];
/** Paints a text, or leaves it as it is where colours are not wanted. */
export type Palette = Readonly<Record<Style, (text: string) => string>>;

/** Whether this stream is to have colours: https://no-color.org, FORCE_COLOR, and otherwise only on a terminal. */
export function wantsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

/** The colours of a stream. */
export function paletteOf(isColored: boolean): Palette {
  const entries = styles.map((style) => [
    style,
    (text: string): string => (isColored && text !== '' ? styleText(style, text, { validateStream: false }) : text),
  ]);
  return Object.fromEntries(entries) as Palette;
}

/** The colour of a status; the word itself says the same to who sees none. */
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
