import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError, invalidRequest } from '../api-error.ts';
import type { Limits } from '../limits.ts';

/** Uses the body of a request as a file, which is gone afterwards. @throws ApiError if it is too large or too slow */
export async function spooled<T>(
  body: ReadableStream,
  { importBytes, importMs }: Pick<Limits, 'importBytes' | 'importMs'>,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-import-'));
  const path = join(folder, 'run.jsonl');
  try {
    const signal = AbortSignal.timeout(importMs);
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(() => upTo(body, importBytes), file, { signal }).catch((error: unknown) => {
      if (signal.aborted)
        throw new ApiError(408, 'HTTP_TIMEOUT', 'The file took too long to arrive.', { connection: 'close' });
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
