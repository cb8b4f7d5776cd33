import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorHandle } from './code-mirror.ts';
import './editor.css';

/** Options of an editor for JSON. */
export interface JsonEditorProps {
  readonly id?: string | undefined;
  readonly labelId?: string | undefined;
  readonly label?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly value: string;
  readonly isBad?: boolean | undefined;
  readonly isLarge?: boolean | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * An editor for JSON. What marks and folds is loaded when the first one is shown; until then, and where it cannot be
 * loaded, it is a field for text.
 */
export function JsonEditor(props: JsonEditorProps): JSX.Element {
  const { id, labelId, label, describedBy, value, isBad = false, isLarge = false, onChange } = props;
  const host = useRef<HTMLDivElement>(null);
  const handle = useRef<EditorHandle | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  const newest = useRef(props);
  newest.current = props;
  // What was typed and has not come back as a value yet. It must not replace what was typed since.
  const typed = useRef<string[]>([]);
  useEffect(() => {
    let isWanted = true;
    void import('./code-mirror.ts').then(
      ({ mountEditor }) => {
        if (!isWanted || host.current === null) return;
        const name =
          label ??
          (labelId === undefined ? 'JSON' : (document.querySelector(`#${CSS.escape(labelId)}`)?.textContent ?? 'JSON'));
        handle.current = mountEditor(host.current, {
          value: newest.current.value,
          label: name,
          onChange(text) {
            typed.current.push(text);
            newest.current.onChange(text);
          },
        });
        setReady(true);
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
      handle.current?.destroy();
    };
  }, []);
  useEffect(() => {
    const at = typed.current.lastIndexOf(value);
    typed.current = typed.current.slice(at + 1);
    if (at === -1) handle.current?.setValue(value);
  }, [value]);
  const className = `jsoned${isBad ? ' bad' : ''}${isLarge ? ' large' : ''}`;
  return (
    <div class={className}>
      <div ref={host} class="jsonhost" hidden={!isReady} />
      {!isReady && (
        <textarea
          id={id}
          class={isBad ? 'in bad mono' : 'in mono'}
          rows={isLarge ? 20 : 5}
          spellcheck={false}
          aria-label={label}
          aria-labelledby={label === undefined ? labelId : undefined}
          aria-describedby={describedBy}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
