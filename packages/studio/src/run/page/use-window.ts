import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Which rows of a long list are in the page. */
export interface RowWindow {
  readonly first: number;
  /** After the last one. */
  readonly end: number;
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Scrolls no further than needed to show a row. */
  readonly show: (index: number) => void;
}

const overscan = 12;
/** So many rows fit on the largest screen, and no more are ever in the page. */
const mostRows = 200;

/** The window of a list whose rows have one height. `ref` is the element inside the one that scrolls. */
export function useWindow(count: number, rowHeight: number): RowWindow {
  const ref = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, end: Math.min(count, 60) });
  const measure = (): void => {
    const element = ref.current;
    const scroller = element === null ? null : scrollerOf(element);
    if (element === null || scroller === null) return;
    const above = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
    const visible = Math.min(scroller.clientHeight, innerHeight);
    const first = Math.max(0, Math.floor(above / rowHeight) - overscan);
    const end = Math.min(count, first + Math.min(mostRows, Math.ceil(visible / rowHeight) + 2 * overscan));
    setRange((before) => (before.first === first && before.end === end ? before : { first, end }));
  };
  useLayoutEffect(measure, [count, rowHeight]);
  useEffect(() => {
    const scroller = ref.current === null ? null : scrollerOf(ref.current);
    const target: EventTarget | null = scroller === document.scrollingElement ? document : scroller;
    target?.addEventListener('scroll', measure, { passive: true });
    globalThis.addEventListener('resize', measure);
    const observer = new ResizeObserver(measure);
    if (scroller !== null) observer.observe(scroller);
    return () => {
      target?.removeEventListener('scroll', measure);
      globalThis.removeEventListener('resize', measure);
      observer.disconnect();
    };
  }, [count, rowHeight]);
  const show = (index: number): void => {
    const element = ref.current;
    const scroller = element === null ? null : scrollerOf(element);
    if (element === null || scroller === null || scroller === document.scrollingElement) return;
    const offset = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    const top = offset + index * rowHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + rowHeight > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + rowHeight - scroller.clientHeight;
  };
  return { first: Math.min(range.first, count), end: Math.min(range.end, count), ref, show };
}

function scrollerOf(element: HTMLElement): Element | null {
  const body = element.closest('.body, .scrolls');
  if (body !== null && getComputedStyle(body).overflowY !== 'visible') return body;
  return document.scrollingElement;
}
