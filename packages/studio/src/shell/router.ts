import { type Signal, signal } from '@preact/signals';
import { mount } from '../api/mount.ts';
import { type Place, pathTo, placeOf } from './place.ts';

/** Where the viewer is. */
export const place: Signal<Place> = signal(current());

function current(): Place {
  return placeOf(location.pathname.slice(mount.length), location.search);
}

/** The address of a place, for links. */
export function hrefTo(parts: readonly string[], query?: Readonly<Record<string, string | undefined>>): string {
  return mount + pathTo(parts, query);
}

/** Goes to an address of the studio. */
export function go(href: string, { replaces = false }: { readonly replaces?: boolean } = {}): void {
  if (replaces) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  const before = place.value;
  place.value = current();
  if (before.page !== place.value.page || before.name !== place.value.name) scrollTo(0, 0);
}

/** Changes what is selected: the address follows, and Back leaves the page instead of undoing each selection. */
export function select(changes: Readonly<Record<string, string | undefined>>): void {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  go(text === '' ? location.pathname : `${location.pathname}?${text}`, { replaces: true });
}

/** Follows Back, Forward and clicks on links into the studio; whoever wants a new tab gets one. */
export function startRouter(): void {
  globalThis.addEventListener('popstate', () => {
    place.value = current();
  });
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!isPlain || event.defaultPrevented || link === null || link.target !== '' || link.hasAttribute('download'))
      return;
    if (link.origin !== location.origin || !link.pathname.startsWith(mount) || link.hash !== '') return;
    event.preventDefault();
    go(link.href);
  });
}
