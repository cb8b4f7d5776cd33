// Data may hold escape sequences that would drive the terminal: they are shown, not sent.
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** A text without anything that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(controls, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The same for a message of several lines: they become one. */
export function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*\n\s*/gu, ' '));
}

/** So many characters at most, the last of them … where something was left out. */
export function shortened(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** How many columns of a terminal a text takes, as far as that is known without its fonts. */
export function widthOf(text: string): number {
  return Array.from(text).length;
}
