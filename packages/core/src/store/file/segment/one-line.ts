/** Half a pair of UTF-16 has no bytes in UTF-8. Every Node that we support has this method; its types came later. */
type MaybeLone = string & { isWellFormed(): boolean };

const marks = ['\n', '\t', '\0'];

/** Whether a text fits into a line as it is: without the marks of a line's end, of room and of lost sectors. */
export function isOneLine(text: string): boolean {
  return marks.every((mark) => !text.includes(mark)) && (text as MaybeLone).isWellFormed();
}
