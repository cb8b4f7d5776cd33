// Stands for the services that programs call: a bank, a travel agency, the web, a mail server.

/** Everything that the services were asked to do, in order. */
export const done: string[] = [];

/** Does something that must not happen twice. `key` is what a real service takes as its idempotency key. */
export async function act(what: string, key: string): Promise<string> {
  if (key === '') throw new Error('a key is missing');
  done.push(what);
  return what;
}

/** Books a part of a trip, and returns the id of the booking. There are no cars. */
export async function book(part: string): Promise<string> {
  if (part === 'car') throw new Error('no cars left');
  done.push(`booked ${part}-1`);
  return `${part}-1`;
}

/** Cancels a booking. */
export async function cancel(id: string): Promise<void> {
  done.push(`cancelled ${id}`);
}

let inFlight = 0;
/** How many pages were read at the same time, at most. */
export const most = { atOnce: 0 };

/** Reads a page. One of them does not exist. */
export async function readPage(url: string): Promise<string> {
  inFlight += 1;
  most.atOnce = Math.max(most.atOnce, inFlight);
  await new Promise(setImmediate);
  inFlight -= 1;
  if (url.endsWith('/404')) throw new Error('not found');
  return `page ${url}`;
}

let asked = 0;
/** The status of a job that is done when it is asked for the third time. */
export async function jobStatus(job: string): Promise<{ isDone: boolean; url: string }> {
  asked += 1;
  return { isDone: asked === 3, url: `https://example.org/${job}.mp4` };
}

/** Eight o'clock of a day, in UTC. */
export function eightOn(day: string): Date {
  return new Date(`${day}T08:00:00Z`);
}

/** The day after a day. */
export function dayAfter(day: string): string {
  return new Date(eightOn(day).getTime() + 86_400_000).toISOString().slice(0, 10);
}
