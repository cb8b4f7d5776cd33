import { z } from 'zod';
import { ApiError, invalidRequest } from '../../api-error.ts';
import { answerOf, toldOf } from '../../guard/answers.ts';
import { eventJson } from '../../json/event-json.ts';
import { jsonText } from '../../json/text.ts';
import { eventStream, type StreamMessage } from '../../stream/event-stream.ts';
import { type Call, type Route, route, runParams } from '../route.ts';

const cursorPattern = /^\d{1,15}(?:\.\d{1,9})?$/u;

const streamEvents = route({
  id: 'streamEvents',
  method: 'get',
  path: '/runs/{runId}/events',
  summary:
    'Streams the events of a run as server-sent events. The id of each is its cursor; Last-Event-ID or after resumes without loss. The last message is named end.',
  access: 'read',
  params: runParams,
  query: z.strictObject({
    after: z.string().regex(cursorPattern).optional(),
    until: z.enum(['end', 'idle']).default('end'),
  }),
  response: 'text/event-stream',
  async handle(call, { params: { runId }, query: { after, until } }) {
    const { kind, head } = await call.scope.run(runId);
    if (kind === 'journal') throw new ApiError(409, 'HTTP_INVALID_REQUEST', 'A journal run has no events.');
    const from = call.request.headers.get('last-event-id') ?? after ?? '0';
    if (!cursorPattern.test(from) || Number.parseInt(from, 10) > head)
      throw invalidRequest('Last-Event-ID must be the id of an event of this run.');
    // Nobody would ever read or cancel the body of an answer to HEAD.
    if (call.request.method === 'HEAD') return answerOf('', streamType);
    const floor = await call.scope.floor(runId);
    const begin = Number.parseInt(from, 10) < floor ? String(floor) : from;
    return answerOf(openStream(call, runId, { after: begin, until }), streamType);
  },
});

const streamType = 'text/event-stream; charset=utf-8';

function openStream(call: Call, runId: string, reading: Omit<Reading, 'signal'>): ReadableStream {
  const { streams, limits, observe } = call.server;
  const { signal } = call.request;
  const share = streams.begin(call.caller);
  const abort = new AbortController();
  const body = eventStream(messagesOf(call, runId, { ...reading, signal: abort.signal }), {
    limits,
    share,
    abort,
    onDropped: () => observe({ type: 'dropped', by: call.caller.by, runId }),
  });
  const cancel = (): void => void body.cancel().catch(() => undefined);
  // Whoever asked may have gone before the stream was made.
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return body;
}

interface Reading {
  readonly after: string;
  readonly until: 'end' | 'idle';
  readonly signal: AbortSignal;
}

async function* messagesOf(call: Call, runId: string, reading: Reading): AsyncGenerator<StreamMessage> {
  const { engine, redactor } = call;
  try {
    let last = reading.after;
    for await (const event of engine.get(runId).events(reading)) {
      const data = jsonText(eventJson(event, redactor));
      // What is live only has the cursor of the event before it: a stream is resumed after that one.
      yield event.cursor === last ? { data } : { id: event.cursor, data };
      last = event.cursor;
    }
    const { status } = await engine.get(runId).summary();
    yield { event: 'end', data: jsonText({ status }) };
  } catch (error) {
    if (reading.signal.aborted) return;
    const told = toldOf(error, redactor);
    // The store may answer later, or another server may: the connection breaks, and the reader comes back.
    if (told?.status === 503) throw error;
    if (told === undefined) call.server.observe({ type: 'error', id: crypto.randomUUID(), error });
    yield { event: 'failure', data: jsonText({ error: told?.error ?? unexpected }) };
  }
}

const unexpected = { code: 'HTTP_INTERNAL', message: 'The stream broke off.' };

/** The stream. */
export const eventRoutes: readonly Route[] = [streamEvents];
