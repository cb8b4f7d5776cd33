const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Characters that control a terminal, break lines or reorder what is shown. Joiners are part of words. */
const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text for messages: at most 60 characters, with control and invisible characters escaped. */
export function printable(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return shown.replace(unprintable, escaped);
}

/** A text as one line of a log, which somebody may read in a terminal. */
export function printableLine(text: string): string {
  return text.replaceAll('\n', ' ').replace(controls, escaped);
}

function escaped(character: string): string {
  return `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`;
}
