/** Longer texts are measured by the built-in encoder, which is faster from about this length on. */
const longestCounted = 48;

/** The bytes of a text as JSON: with quotes and escapes, in UTF-8. */
export function textSize(text: string): number {
  return text.length > longestCounted ? Buffer.byteLength(JSON.stringify(text)) : countedSize(text);
}

function countedSize(text: string): number {
  let size = text.length + 2;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x80) size += code === quote || code === backslash ? 1 : 0;
    else if (code < 0x20) size += shortEscapes.has(code) ? 1 : 5;
    else if (code < 0x800) size += 1;
    else if (code < 0xd800 || code > 0xdfff) size += 2;
    // Each half of a pair is two bytes; a half alone is written as an escape of six.
    else size += isPaired(text, at, code) ? 1 : 5;
  }
  return size;
}

const quote = 0x22;
const backslash = 0x5c;
/** The control characters with an escape of two characters: \b \t \n \f \r. */
const shortEscapes: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

function isPaired(text: string, at: number, code: number): boolean {
  if (code < 0xdc00) return isLow(text.charCodeAt(at + 1));
  return at > 0 && isHigh(text.charCodeAt(at - 1));
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
