import type { Limits } from '../limits.ts';
import type { StreamShare } from './streams.ts';

/** A message of a stream, as text. */
export interface StreamMessage {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  /** One line. */
  readonly data: string;
}

interface EventStreamOptions {
  readonly limits: Pick<Limits, 'unreadBytes' | 'stallMs' | 'heartbeatMs'>;
  readonly share: StreamShare;
  /** Called if the reader was too slow. */
  readonly onDropped: () => void;
  readonly abort: AbortController;
}

const encoder = new TextEncoder();

/**
 * Messages as server-sent events. A stream reads ahead only until its share of bytes waits for its reader. Then the reader
 * has `stallMs` to take some of them; otherwise the stream is cut.
 */
export function eventStream(messages: AsyncIterable<StreamMessage>, options: EventStreamOptions): ReadableStream {
  const { limits, abort, share } = options;
  let pulled: (() => void) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(heartbeat);
    abort.abort();
    pulled?.();
    share.end();
  };
  const hasRoom = ({ desiredSize }: ReadableStreamDefaultController): boolean =>
    limits.unreadBytes - (desiredSize ?? 0) < share.unreadBytes();
  /** False if the reader took nothing for too long. */
  const room = (controller: ReadableStreamDefaultController): Promise<boolean> => {
    if (isOver || hasRoom(controller)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limits.stallMs);
      timer.unref();
      pulled = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  };
  const pump = async (controller: ReadableStreamDefaultController): Promise<void> => {
    for await (const message of messages) {
      if (isOver) return;
      controller.enqueue(encoder.encode(textOf(message)));
      if (await room(controller)) continue;
      options.onDropped();
      end();
      controller.error(new Error('The reader was too slow.'));
      return;
    }
    if (!isOver) controller.close();
    end();
  };
  return new ReadableStream(
    {
      start: (controller) => {
        heartbeat = setInterval(() => {
          if (hasRoom(controller)) controller.enqueue(encoder.encode(': alive\n\n'));
        }, limits.heartbeatMs);
        heartbeat.unref();
        // So that a proxy and the browser see the stream open before anything happens.
        controller.enqueue(encoder.encode('retry: 1000\n\n'));
        pump(controller).catch((error: unknown) => {
          if (!isOver) controller.error(error);
          end();
        });
      },
      pull: (controller) => {
        // Also called when something was put in, and nothing taken.
        if (hasRoom(controller)) pulled?.();
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: limits.unreadBytes }),
  );
}

function textOf({ id, event, data }: StreamMessage): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${data}\n\n`;
}
