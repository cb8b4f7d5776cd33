import { type Signal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { store, stored } from './stored.ts';

/** What a key does. The help lists it. */
export interface KeyAction {
  /** One key, or two in a row: `j`, `J`, `/`, `g o`. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
}

interface Layer {
  readonly title: string;
  readonly actions: readonly KeyAction[];
}

/** The keys that work right now, by the part of the page they belong to. */
export const layers: Signal<readonly Layer[]> = signal([]);
/** Whether keys of a single letter work: screen readers and speech control need them off. */
export const areKeysOn: Signal<boolean> = signal(stored('keys') !== 'off');

/** Switches the keys on or off, in this browser from now on. */
export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn;
  store('keys', isOn ? undefined : 'off');
}

/** Has keys work while a component is shown. Later layers win. */
export function useKeys(title: string, actions: readonly KeyAction[]): void {
  // Each rendering makes new functions: the layer calls the newest ones.
  const newest = useRef(actions);
  newest.current = actions;
  const names = actions.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  useEffect(() => {
    const layer: Layer = {
      title,
      actions: newest.current.map(({ keys, label }, at) => ({ keys, label, run: () => newest.current[at]?.run() })),
    };
    layers.value = [...layers.value, layer];
    return () => {
      layers.value = layers.value.filter((each) => each !== layer);
    };
  }, [title, names]);
}

const sequenceMs = 1_000;

/** Listens for keys. */
export function startKeys(): void {
  let first = '';
  let firstAt = 0;
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (!areKeysOn.value && event.key !== '?') return;
    if (document.querySelector('dialog[open]') !== null) return;
    const pair = event.timeStamp - firstAt < sequenceMs ? `${first} ${event.key}` : event.key;
    const all = layers.value.toReversed().flatMap(({ actions }) => actions);
    const action = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === event.key);
    first = event.key;
    firstAt = event.timeStamp;
    if (action === undefined) return;
    first = '';
    event.preventDefault();
    action.run();
  });
}

/** Whether a key belongs to something that takes text, or to a menu that takes keys itself. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches('input:not([type="checkbox"]):not([type="radio"]), textarea, select')
  );
}
