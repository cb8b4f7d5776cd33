// What controls a terminal (C0, C1, DEL), breaks lines or reorders what is shown (bidi). JSON escapes only C0 by itself.
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The text of a JSON value, in which every control character is escaped. It is the same JSON. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
