import { autocompletion } from '@codemirror/autocomplete';
import { StateEffect } from '@codemirror/state';
import { Decoration, EditorView, MatchDecorator, ViewPlugin, WidgetType, type DecorationSet } from '@codemirror/view';
import { fitting, type Offer } from '../data/completions';
import { formulaToken, innerOf, isFormula } from '../data/formulas';
import type { Resolution } from '../data/references';
import { wordsOf } from '../data/words';
import { tokenInJson } from './jsonTemplate';

export interface CodeReferences {
  of: (token: string) => Resolution;
  offers: () => Offer[];
  editFormula: (first: string, done: (inner: string) => void) => void;
}

const TOKEN = /ap-formula-v1::\{.*?\}::ap-formula-v1|\{\{.+?\}\}/g;
const TYPED = /\{\{[^{}\n]{0,60}$/;

/** Effect that renders the references again. */
export const referencesChanged = StateEffect.define();

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

class Chip extends WidgetType {
  constructor(
    private readonly token: string,
    private readonly resolved: Resolution,
    private readonly references: () => CodeReferences,
  ) {
    super();
  }

  override eq(other: Chip): boolean {
    return (
      other.token === this.token &&
      other.resolved.label === this.resolved.label &&
      other.resolved.problem?.kind === this.resolved.problem?.kind
    );
  }

  override toDOM(view: EditorView): HTMLElement {
    const element = document.createElement('span');
    element.className = this.resolved.problem ? 'cm-chip broken' : 'cm-chip';
    element.textContent = this.resolved.label;
    element.title = this.resolved.problem ? wordsOf(this.resolved.problem) : this.token;
    element.dataset['token'] = this.token;
    if (isFormula(this.token)) {
      element.addEventListener('click', () =>
        this.references().editFormula(innerOf(this.token), (inner) => {
          const from = view.posAtDOM(element);
          const written = JSON.stringify(this.token).slice(1, -1);
          const to =
            from + (view.state.sliceDoc(from, from + written.length) === written ? written : this.token).length;
          insertAt(view, from, to, formulaToken(inner));
        }),
      );
    }
    return element;
  }
}

function insertAt(view: EditorView, from: number, to: number, token: string): void {
  const insert = tokenInJson(view.state.sliceDoc(0, from), token);
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
  view.focus();
}

export const insertReference = (view: EditorView, token: string): void => {
  const { from, to } = view.state.selection.main;
  insertAt(view, from, to, token);
};

/** References as chips that are deleted as a whole; the one at the caret is shown as text. */
export function tokenChips(references: () => CodeReferences): Extension {
  const matcher = new MatchDecorator({
    regexp: TOKEN,
    decorate: (add, from, to, match, view) => {
      const { head } = view.state.selection.main;
      if (head <= from || head >= to) {
        const token = unescaped(match[0]);
        add(from, to, Decoration.replace({ widget: new Chip(token, references().of(token), references) }));
      }
    },
  });
  const plugin = ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view);
      }

      update({ view }: { view: EditorView }): void {
        this.decorations = matcher.createDeco(view);
      }
    },
    {
      decorations: (value) => value.decorations,
      provide: (self) => EditorView.atomicRanges.of((view) => view.plugin(self)?.decorations ?? Decoration.none),
    },
  );
  return [
    plugin,
    autocompletion({ override: [(context) => completions(context, references())], icons: false, interactionDelay: 0 }),
  ];
}

interface Completed {
  pos: number;
  explicit: boolean;
  matchBefore: (pattern: RegExp) => { from: number; to: number; text: string } | null;
}

function completions(context: Completed, references: CodeReferences): unknown {
  const braces = context.matchBefore(TYPED);
  const found = braces ?? (context.explicit ? context.matchBefore(/\w*/) : null);
  if (!found) {
    return null;
  }
  const typed = braces ? found.text.slice(2).trim() : found.text;
  const offers = fitting(references.offers(), typed);
  return {
    from: found.from,
    filter: false,
    options: (offers.length > 0 || braces ? offers : fitting(references.offers(), '')).map((offer) => ({
      label: offer.label,
      detail: offer.about,
      apply: (view: EditorView, _: unknown, from: number, to: number) => take(view, offer, from, to, references),
    })),
  };
}

function take(view: EditorView, offer: Offer, from: number, to: number, references: CodeReferences): void {
  // Closing braces that the editor added are replaced, too.
  const end = view.state.sliceDoc(from, from + 2) === '{{' && view.state.sliceDoc(to, to + 2) === '}}' ? to + 2 : to;
  if (offer.kind === 'data' || offer.formula.parameters === '') {
    insertAt(view, from, end, offer.kind === 'data' ? offer.token : formulaToken(`${offer.formula.name}()`));
  } else {
    view.dispatch({ changes: { from, to: end, insert: '' } });
    references.editFormula(`${offer.formula.name}(`, (inner) => insertReference(view, formulaToken(inner)));
  }
}
