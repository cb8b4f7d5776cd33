import type { ServerEvent } from './options.ts';

type Observe = (event: ServerEvent) => void;

/** What nobody observes: an id that a caller was told has to be found somewhere. */
export function logged(event: ServerEvent): void {
  if (event.type === 'error') console.error(`holdfast: unexpected error ${event.id}`, event.error);
}

/** An observer that fails takes no request with it. */
export function safely(observe: Observe): Observe {
  return (event) => {
    try {
      observe(event);
    } catch (error) {
      console.error('holdfast: observe() failed', error);
    }
  };
}
