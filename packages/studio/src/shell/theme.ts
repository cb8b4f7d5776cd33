import { type Signal, signal } from '@preact/signals';
import { store, stored } from './stored.ts';

/** What the viewer chose. `system`: as the system has it. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme. `public/theme.js` applies the stored one before anything is painted. */
export const theme: Signal<Theme> = signal(themeOf(stored('theme')));

/** Chooses a theme, here and in this browser from now on. */
export function chooseTheme(next: Theme): void {
  theme.value = next;
  store('theme', next === 'system' ? undefined : next);
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
}

/** The other one of light and dark. */
export function switchTheme(): void {
  const { colorScheme } = getComputedStyle(document.documentElement);
  chooseTheme(colorScheme === 'dark' ? 'light' : 'dark');
}

function themeOf(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
