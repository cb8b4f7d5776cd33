import { printable } from './printable.ts';

// Data that looks like a style must not become one. Our own styles are marked with a text that is new in every process,
// so no run and no store can contain it.
const mark = `\u0000style-${Math.random().toString(36).slice(2)}-${Math.random().toString(36).slice(2)}:`;
const marked = new RegExp(`${mark}(\\d{1,3});`, 'u');

/** The mark that becomes the escape sequence of a style: 31 is red, 39 the default colour. */
export function styleMark(code: number): string {
  return `${mark}${code};`;
}

/** Marks the colours of `util.inspect`, which escapes the text of values itself. */
export function markInspected(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the sequences that inspect writes
  return text.replace(/\u001b\[(\d{1,3})m/gu, (_, code) => styleMark(Number(code)));
}

/** One line as a terminal may get it: our styles as escape sequences, and everything else escaped. */
export function terminalLine(text: string): string {
  // The texts are at the even places, the codes of the marks at the odd ones.
  return text
    .split(marked)
    .map((part, index) => (index % 2 === 0 ? printable(part) : `\u001b[${part}m`))
    .join('');
}

/** Several lines as a terminal may get them. */
export function terminalText(text: string): string {
  return text.split('\n').map(terminalLine).join('\n');
}
