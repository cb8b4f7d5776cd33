import { jsonText } from './json/text.ts';
import type { ServerEvent } from './options.ts';

type Observe = (event: ServerEvent) => void;

/** What nobody observes: an id that a caller was told has to be found somewhere. */
export function logged(event: ServerEvent): void {
  if (event.type === 'error') write(`unexpected error ${event.id}`, event.error);
}

/** An observer that fails takes no request with it. */
export function safely(observe: Observe): Observe {
  return (event) => {
    try {
      observe(event);
    } catch (error) {
      write('observe() failed', error);
    }
  };
}

/** One line, in which nothing controls a terminal. */
function write(what: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  process.stderr.write(`holdfast server: ${what}: ${jsonText(text)}\n`);
}
