const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text for messages: at most 60 characters, with control and invisible characters escaped. */
export function printable(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return shown.replace(unprintable, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
}
