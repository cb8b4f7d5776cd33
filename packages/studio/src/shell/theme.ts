import { store } from './stored.ts';

/** Switches to the other one of light and dark, here and in this browser from now on. `public/theme.js` applies it before anything is painted. */
export function switchTheme(): void {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const next = colorScheme === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  store('theme', next);
}
