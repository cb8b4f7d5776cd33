import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError, invalidRequest } from '../api-error.ts';

/** Uses the body of a request as a file, which is gone afterwards. @throws ApiError if the body has more bytes */
export async function spooled<T>(
  body: ReadableStream,
  maxBytes: number,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-import-'));
  const path = join(folder, 'run.jsonl');
  try {
    await pipeline(() => upTo(body, maxBytes), createWriteStream(path, { mode: 0o600 })).catch((error: unknown) => {
      throw error instanceof ApiError ? error : invalidRequest('The body could not be read.');
    });
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* upTo(body: ReadableStream, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxBytes)
      throw new ApiError(413, 'HTTP_BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes.`, {
        connection: 'close',
      });
    yield part;
  }
}
