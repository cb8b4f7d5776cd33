/** Half a pair of UTF-16 has no bytes in UTF-8. Every Node that we run on has this method; the types come later. */
type MaybeLone = string & { isWellFormed(): boolean };

/** The format character of texts that are JSON. */
export const jsonFormat = 'j';

/**
 * Whether a text can stand in a line as the JSON that it is, to be cut out again to the letter. Others are kept as a
 * string.
 */
export function isInlineJson(text: string): boolean {
  return text.startsWith(jsonFormat) && text.length > 1 && isOneLine(text);
}

/** Whether a text can stand in a line: what marks an end, or an empty place, can not. JSON may have it between its tokens. */
export function isOneLine(text: string): boolean {
  return marks.every((mark) => !text.includes(mark)) && (text as MaybeLone).isWellFormed();
}

const marks = ['\n', '\t', '\0'];
