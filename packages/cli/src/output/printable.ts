// Data may contain characters that control a terminal (C0, C1, DEL), break lines or reorder what is shown (bidi).
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Escapes everything that controls a terminal. The escapes are those of JSON, so JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replace(controls, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Joins the lines of a message and escapes control characters. */
export function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return printable(lines.filter((line) => line !== '').join(' '));
}

/** Cuts a text to `width` characters, with … at the end if it was cut. Escapes control characters. */
export function shortened(text: string, width: number): string {
  const shown = printable(text);
  const characters = Array.from(shown);
  if (characters.length <= width) return shown;
  return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** The approximate width of a text in terminal columns: one per code point, as printed. */
export function widthOf(text: string): number {
  return Array.from(printable(text)).length;
}

/** The width of the widest text. A table may have more rows than a call may have arguments. */
export function widestOf(texts: Iterable<string>): number {
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, widthOf(text));
  return widest;
}
