// The editor itself: the largest thing that the studio may load, and only when JSON is edited.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** An editor in the page. */
export interface EditorHandle {
  setValue(value: string): void;
  destroy(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--text)' },
  { tag: tags.string, color: 'var(--v-string)' },
  { tag: tags.number, color: 'var(--v-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--v-keyword)' },
  { tag: tags.punctuation, color: 'var(--text-3)' },
]);

const look = EditorView.theme({
  '&': { fontSize: '12.5px', height: '100%', backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '23px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-tint)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    color: 'var(--text-2)',
  },
});

/**
 * Puts an editor into a shadow root: there its styles are style sheets of the root, which the policy of the page allows,
 * and no style elements, which it does not.
 */
export function mountEditor(
  host: HTMLElement,
  {
    value,
    label,
    onChange,
  }: { readonly value: string; readonly label: string; readonly onChange: (value: string) => void },
): EditorHandle {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  let isOurs = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      extensions: [
        lineNumbers(),
        foldGutter(),
        codeFolding(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        json(),
        syntaxHighlighting(colours),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        // Tab leaves the editor, as everywhere in the page.
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setValue(next) {
      if (view.state.doc.toString() === next) return;
      isOurs = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      isOurs = false;
    },
    destroy: () => view.destroy(),
  };
}
