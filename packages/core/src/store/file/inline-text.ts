/** Half a pair of UTF-16: it has no bytes in UTF-8. */
const loneSurrogate = /\p{Cs}/u;

/** The format character of texts that are JSON. */
export const jsonFormat = 'j';

/**
 * Whether a text can stand in a line as the JSON that it is, to be cut out again to the letter. Others are kept as a
 * string.
 */
export function isInlineJson(text: string): boolean {
  return text.startsWith(jsonFormat) && text.length > 1 && !text.includes('\n') && !loneSurrogate.test(text);
}
