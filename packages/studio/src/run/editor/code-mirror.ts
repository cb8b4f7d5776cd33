// The editor itself: the largest thing that the studio may load, and only when JSON is edited.
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { codeFolding, ensureSyntaxTree, foldEffect, foldGutter, foldKeymap, syntaxTree } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { EditorState, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

/** An editor in the page. */
export interface EditorHandle {
  setValue(value: string): void;
  destroy(): void;
}

/** The class of a piece of JSON, by its name in the grammar. */
const classes: Readonly<Record<string, string>> = {
  String: 'v-string',
  Number: 'v-number',
  True: 'v-keyword',
  False: 'v-keyword',
  Null: 'v-keyword',
};

function coloured(view: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, from: start, to: end }) => {
        const found = classes[name];
        if (found !== undefined) marks.add(start, end, Decoration.mark({ class: found }));
      },
    });
  }
  return marks.finish();
}

/** Colours what is in sight, in the colours of the state tree. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = coloured(view);
    }

    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
      const isParsed = syntaxTree(startState) !== syntaxTree(state);
      if (docChanged || viewportChanged || isParsed) this.decorations = coloured(view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

const look = EditorView.theme({
  '&': { fontSize: '12.5px', height: '100%', backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '23px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: 'none' },
  '.v-string': { color: 'var(--v-string)' },
  '.v-number': { color: 'var(--v-number)' },
  '.v-keyword': { color: 'var(--v-keyword)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line-strong)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-tint)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    color: 'var(--text-2)',
    margin: '0 6px',
    padding: '0 6px',
    fontSize: '11px',
  },
});

/** What is folded, in a few words: `4 items`. */
function sizeText(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    const [count, what] = Array.isArray(value) ? [value.length, 'item'] : [Object.keys(value as object).length, 'key'];
    return `${count} ${what}${count === 1 ? '' : 's'}`;
  } catch {
    return '…';
  }
}

function placeholderDOM(_view: EditorView, onclick: (event: Event) => void, text: unknown): HTMLElement {
  const element = document.createElement('span');
  element.className = 'cm-foldPlaceholder';
  element.textContent = String(text);
  element.title = 'Unfold';
  element.addEventListener('click', onclick);
  return element;
}

/** Lists of at least so many items begin folded, so that the fields of a state are in sight together. */
const leastFolded = 3;
/** A larger text is shown as it is, not parsed first. */
const mostParsed = 200_000;

function foldLists(view: EditorView): void {
  const { state } = view;
  const tree = state.doc.length > mostParsed ? null : ensureSyntaxTree(state, state.doc.length, 50);
  const lists: { readonly from: number; readonly to: number }[] = [];
  tree?.iterate({
    enter: ({ name, from, to, node }) => {
      if (name !== 'Array') return true;
      const kinds = ['Object', 'Array', 'String', 'Number'];
      const items = kinds.reduce((sum, kind) => sum + node.getChildren(kind).length, 0);
      const isLong = state.doc.lineAt(from).number < state.doc.lineAt(to).number && items >= leastFolded;
      if (isLong) lists.push({ from: from + 1, to: to - 1 });
      return !isLong;
    },
  });
  view.dispatch({ effects: lists.map((list) => foldEffect.of(list)) });
}

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
        codeFolding({
          preparePlaceholder: (state, { from, to }) => sizeText(state.sliceDoc(from - 1, to + 1)),
          placeholderDOM,
        }),
        history(),
        drawSelection(),
        json(),
        linter(jsonParseLinter(), { delay: 250 }),
        colours,
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        // Tab leaves the editor, as everywhere in the page.
        keymap.of([...standardKeymap, ...historyKeymap, ...foldKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  foldLists(view);
  // What scrolls must be reachable by keys; the text inside is, but tools that check it cannot know.
  view.scrollDOM.tabIndex = 0;
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
