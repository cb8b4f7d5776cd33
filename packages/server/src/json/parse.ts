import { ApiError, invalidRequest } from '../api-error.ts';

/** How much a JSON text may hold. */
export interface JsonLimits {
  readonly depth: number;
  readonly nodes: number;
}

/** Parses JSON. Its depth and its number of values are known before anything is made of it. @throws ApiError */
export function parseJson(text: string, limits: JsonLimits): unknown {
  measure(text, limits);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidRequest('The body is not valid JSON.');
  }
}

/** Counts brackets and commas outside of texts: never fewer values than parsing would make. @throws ApiError */
function measure(text: string, { depth: maxDepth, nodes: maxNodes }: JsonLimits): void {
  let depth = 0;
  let nodes = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === bracket || code === brace) {
      depth += 1;
      nodes += 1;
    } else if (code === bracketEnd || code === braceEnd) depth -= 1;
    else if (code === comma) nodes += 1;
    if (depth > maxDepth)
      throw new ApiError(413, 'HTTP_BODY_TOO_LARGE', `The body is nested deeper than ${maxDepth} levels.`);
    if (nodes > maxNodes) throw new ApiError(413, 'HTTP_BODY_TOO_LARGE', `The body has more than ${maxNodes} values.`);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const bracket = 0x5b;
const bracketEnd = 0x5d;
const brace = 0x7b;
const braceEnd = 0x7d;
const comma = 0x2c;

/** The place of the quote that ends a text. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}
