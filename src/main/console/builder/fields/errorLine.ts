import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/** Error at a line of the source; the first line is 1. */
export interface LineError {
  line: number;
  message: string;
}

/** Effect that marks the line of an error, or removes the mark. */
export const errorMarked = StateEffect.define<LineError | undefined>();

/** Mark of an erroneous line. A change of the text removes it, because the error belongs to the former text. */
export const errorLine: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { docChanged, effects, state }) => {
    for (const effect of effects) {
      if (effect.is(errorMarked)) {
        const { value } = effect;
        return value === undefined || value.line > state.doc.lines
          ? Decoration.none
          : Decoration.set([
              Decoration.line({ class: 'cm-errorLine', attributes: { title: value.message } }).range(
                state.doc.line(value.line).from,
              ),
            ]);
      }
    }
    return docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});
