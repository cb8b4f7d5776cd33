import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError, invalidRequest } from '../api-error.ts';
import type { Limits } from '../limits.ts';

/** Uses the body of a request as a file, which is gone afterwards. @throws ApiError if it is too large or too slow */
export async function spooled<T>(
  body: ReadableStream<Uint8Array>,
  { importBytes, importMs }: Pick<Limits, 'importBytes' | 'importMs'>,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-import-'));
  const path = join(folder, 'run.jsonl');
  try {
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(() => upTo(body, importBytes, AbortSignal.timeout(importMs)), file).catch((error: unknown) => {
      throw error instanceof ApiError ? error : invalidRequest('The body could not be read.');
    });
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* upTo(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  // A body that is read ends when it is cancelled; one that never comes would be waited for.
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw tooSlow();
      if (done) return;
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function tooSlow(): ApiError {
  return new ApiError(408, 'HTTP_TIMEOUT', 'The file took too long to arrive.', { connection: 'close' });
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(413, 'HTTP_BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes.`, {
    connection: 'close',
  });
}
