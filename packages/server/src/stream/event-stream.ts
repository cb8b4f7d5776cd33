import type { Limits } from '../limits.ts';

/** A message of a stream, as text. */
export interface StreamMessage {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  /** One line. */
  readonly data: string;
}

interface EventStreamOptions {
  readonly limits: Pick<Limits, 'unreadBytes' | 'stallMs' | 'heartbeatMs'>;
  /** Called once, when the stream has ended in any way. */
  readonly onEnd: () => void;
  /** Called if the reader was too slow. */
  readonly onDropped: () => void;
  readonly abort: AbortController;
}

const encoder = new TextEncoder();

/**
 * Messages as server-sent events. A stream reads ahead only until `unreadBytes` wait for its reader. Then the reader has
 * `stallMs` to take some of them; otherwise the stream is cut.
 */
export function eventStream(messages: AsyncIterable<StreamMessage>, options: EventStreamOptions): ReadableStream {
  const { limits, abort } = options;
  let pulled: (() => void) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(heartbeat);
    abort.abort();
    pulled?.();
    options.onEnd();
  };
  /** False if the reader took nothing for too long. */
  const room = (controller: ReadableStreamDefaultController): Promise<boolean> => {
    if ((controller.desiredSize ?? 0) > 0 || isOver) return Promise.resolve(true);
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
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': alive\n\n'));
        }, limits.heartbeatMs);
        heartbeat.unref();
        // So that a proxy and the browser see the stream open before anything happens.
        controller.enqueue(encoder.encode('retry: 1000\n\n'));
        pump(controller).catch((error: unknown) => {
          if (!isOver) controller.error(error);
          end();
        });
      },
      pull: () => {
        pulled?.();
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
