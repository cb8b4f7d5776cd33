// Data may contain escape sequences that control the terminal, so they are printed in escaped form.
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes control characters. */
export function printable(text: string): string {
  return text.replace(controls, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Joins the lines of a message and escapes control characters. */
export function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*\n\s*/gu, ' '));
}

/** Cuts a text to `width` characters, with … at the end if it was cut. */
export function shortened(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** The approximate width of a text in terminal columns: one per code point. */
export function widthOf(text: string): number {
  return Array.from(text).length;
}
