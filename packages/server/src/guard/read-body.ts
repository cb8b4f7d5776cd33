import { ApiError, invalidRequest } from '../api-error.ts';
import { parseJson } from '../json/parse.ts';
import type { Limits } from '../limits.ts';

/** The JSON of a request: nothing but JSON, and no more of it than the limits say. `take` is told of every byte. @throws ApiError */
export async function readBody(request: Request, limits: Limits, take: (bytes: number) => void): Promise<unknown> {
  checkContentType(request, 'application/json');
  if (Number(request.headers.get('content-length') ?? 0) > limits.bodyBytes) throw tooLarge(limits);
  const bytes = request.body === null ? new Uint8Array() : await readBytes(request.body, limits, take);
  return parseJson(decoded(bytes), limits);
}

/** Refuses any other content type, which a page of another site might send unasked. @throws ApiError */
export function checkContentType({ headers }: Request, wanted: string): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const isUtf8 = parameters.every((each) => /^\s*(?:charset\s*=\s*"?utf-8"?)?\s*$/u.test(each));
  if (type.trim() !== wanted || !isUtf8)
    throw new ApiError(415, 'HTTP_UNSUPPORTED_MEDIA_TYPE', `Send the body with the content type ${wanted}.`);
  if (headers.has('content-encoding'))
    throw new ApiError(415, 'HTTP_UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.');
}

async function readBytes(
  body: ReadableStream<Uint8Array>,
  limits: Limits,
  take: (bytes: number) => void,
): Promise<Uint8Array> {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError(408, 'HTTP_TIMEOUT', 'The body took too long to arrive.', { connection: 'close' }));
    }, limits.bodyMs);
    timer.unref();
  });
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return Buffer.concat(parts);
      size += value.byteLength;
      if (size > limits.bodyBytes) throw tooLarge(limits);
      take(value.byteLength);
      parts.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error instanceof ApiError ? error : invalidRequest('The body could not be read.');
  } finally {
    clearTimeout(timer);
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('The body is not valid UTF-8.');
  }
}

function tooLarge({ bodyBytes }: Limits): ApiError {
  return new ApiError(413, 'HTTP_BODY_TOO_LARGE', `The body is larger than ${bodyBytes} bytes.`, {
    connection: 'close',
  });
}
