import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** A dialog over the page. It is the browser's own: Escape closes it, and the focus stays inside and goes back. */
export function Dialog({
  title,
  fact,
  width,
  onClose,
  footer,
  children,
}: {
  readonly title: ComponentChildren;
  readonly fact?: ComponentChildren;
  readonly width?: 'small' | 'large';
  readonly onClose: () => void;
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dlg ${width ?? 'large'}`}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div class="dlgin">
        <header>
          <h1 id={id}>{title}</h1>
          {fact !== undefined && <span class="muted cut">{fact}</span>}
          <span class="grow" />
          <Button kind="ghost" icon="x" label="Close" onClick={onClose} />
        </header>
        <div class="dlgbody">{children}</div>
        {footer !== undefined && <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}
