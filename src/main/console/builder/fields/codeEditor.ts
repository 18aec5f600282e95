import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { REFERENCE } from './chips';
import { errorLine, errorMarked, type LineError } from './errorLine';
import type { CodeReferences } from './tokenChips';

export interface CodeEditor {
  show: (text: string) => void;
  focus: () => void;
  /** Inserts a reference at the caret. */
  insert: (token: string) => void;
  /** Marks the line of an error, or removes the mark. */
  mark: (error: LineError | undefined) => void;
  /** Renders the references again. */
  refresh: () => void;
  close: () => void;
}

/** Extensions for a language, loaded with the first field that needs them. */
export type Language = (inputs: () => Record<string, unknown>) => Extension[];

/** Extension for references, loaded with the first field that may have them. */
export type References = typeof import('./tokenChips');

interface Wish {
  label: string;
  language: Language;
  value: string;
  onValue: (text: string) => void;
  inputs: () => Record<string, unknown>;
  references?: { module: References; of: () => CodeReferences } | undefined;
  onFocus: () => void;
  readOnly: boolean;
}

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: '0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-gutters': { color: 'var(--faint)', backgroundColor: 'transparent', border: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--hover) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-errorLine': { backgroundColor: 'var(--red-soft)', boxShadow: 'inset 3px 0 0 var(--red)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '0' },
  '.cm-chip': {
    display: 'inline-block',
    padding: '0 6px',
    borderRadius: '6px',
    background: 'var(--accent-soft)',
    color: 'var(--accent)',
    fontFamily: 'var(--sans, inherit)',
    lineHeight: '18px',
    cursor: 'default',
  },
  '.cm-chip.broken': { background: 'var(--red-soft)', color: 'var(--red)', textDecoration: 'line-through' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--red) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--amber) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-diagnostic': { padding: '4px 8px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--red)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--amber)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    color: 'var(--text)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
});

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: 'var(--blue)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--green)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--amber)' },
  { tag: [tags.comment], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: 'var(--accent)' },
  { tag: [tags.invalid], color: 'var(--red)' },
]);

const TYPED_MAX = 50;

/** Changed range between two texts: replacing only that range keeps the cursor in the rest. */
function difference(from: string, to: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) {
    tail++;
  }
  return { from: head, to: from.length - tail, insert: to.slice(head, to.length - tail) };
}

/** Without Ctrl+Enter, which tests the step. */
const editing = defaultKeymap.filter((binding) => binding.key !== 'Mod-Enter');

/** Opens an editor in a shadow root with adopted style sheets: the content security policy forbids style elements. */
export function openEditor(host: HTMLElement, wish: Wish): CodeEditor {
  const { references } = wish;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  let silent = false;
  /** Typed texts that may still return as the value: ignored while the field is edited, because they are older than its content. */
  let typed: string[] = [];
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: wish.value,
      extensions: [
        ...wish.language(wish.inputs),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion(),
        highlightActiveLine(),
        errorLine,
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...editing]),
        theme,
        syntaxHighlighting(colors),
        EditorView.lineWrapping,
        EditorState.tabSize.of(2),
        EditorState.readOnly.of(wish.readOnly),
        EditorView.contentAttributes.of({ 'aria-label': wish.label }),
        ...(references ? [references.module.tokenChips(references.of)] : []),
        EditorView.domEventHandlers({
          focus: () => {
            wish.onFocus();
            return false;
          },
          drop: (event, view) => {
            const token = event.dataTransfer?.getData(REFERENCE) ?? '';
            const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
            if (!references || token === '' || at === null) {
              return false;
            }
            event.preventDefault();
            view.dispatch({ selection: { anchor: at } });
            references.module.insertReference(view, token);
            return true;
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !silent) {
            const text = update.state.doc.toString();
            typed = [...typed, text].slice(-TYPED_MAX);
            wish.onValue(text);
          }
        }),
      ],
    }),
  });
  return {
    show: (text) => {
      const shown = view.state.doc.toString();
      if (shown !== text && !(view.hasFocus && typed.includes(text))) {
        typed = [];
        silent = true;
        view.dispatch({ changes: difference(shown, text) });
        silent = false;
      }
    },
    focus: () => view.focus(),
    insert: (token) => references?.module.insertReference(view, token),
    mark: (error) => view.dispatch({ effects: errorMarked.of(error) }),
    refresh: () => references && view.dispatch({ effects: references.module.referencesChanged.of(null) }),
    close: () => view.destroy(),
  };
}
