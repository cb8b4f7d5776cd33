import { type Signal, signal } from '@preact/signals';

const query = matchMedia('(max-width: 760px)');

/** Whether one pane is shown at a time. */
export const isNarrow: Signal<boolean> = signal(query.matches);

query.addEventListener('change', () => {
  isNarrow.value = query.matches;
});
