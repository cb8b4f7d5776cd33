import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { client } from '../api/client.ts';
import { Icon } from '../part/icon.tsx';
import { useKeys } from './keys.ts';
import { go, hrefTo, place } from './router.ts';

/** Finds a run from every page: an id opens the run itself, the beginning of one or a query lists what matches. */
export function FindRun(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useKeys('Everywhere', [{ keys: '/', label: 'find a run', run: () => focusFilter(input.current) }]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text === '') return;
    if (input.current !== null) input.current.value = '';
    input.current?.blur();
    void find(text);
  };
  return (
    <form class="find" role="search" aria-label="Find" onSubmit={submit}>
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

async function find(text: string): Promise<void> {
  const isId = !/[\s:"<>]/u.test(text) && (await client.run(text).then(Boolean, () => false));
  go(isId ? hrefTo(['runs', text]) : hrefTo(['runs'], { q: /[\s:"<>]/u.test(text) ? text : `id:${text}` }));
}

/** On the page of runs the filter is what finds. */
function focusFilter(input: HTMLInputElement | null): void {
  const filter = place.value.page === 'runs' ? document.querySelector<HTMLInputElement>('.query input') : null;
  (filter ?? input)?.focus();
}
