import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../part/icon.tsx';
import { useKeys } from './keys.ts';
import { go, hrefTo, place } from './router.ts';

/** Finds a run from every page: an id opens the run itself, anything else lists what matches. */
export function FindRun(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useKeys('Everywhere', [{ keys: '/', label: 'find a run', run: () => focusFilter(input.current) }]);
  const find = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text === '') return;
    go(hrefTo(['runs'], { q: text }));
    input.current?.blur();
  };
  return (
    <form class="find" role="search" aria-label="Find" onSubmit={find}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder="Find a run"
        aria-label="Find a run"
        spellcheck={false}
        maxLength={500}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

/** On the page of runs the filter is what finds. */
function focusFilter(input: HTMLInputElement | null): void {
  const filter = place.value.page === 'runs' ? document.querySelector<HTMLInputElement>('.query input') : null;
  (filter ?? input)?.focus();
}
