import { indentWithTab } from '@codemirror/commands';
import { StreamLanguage } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { keymap, lineNumbers } from '@codemirror/view';
import type { Language } from './codeEditor';
import { codeProblems } from './codeProblems';

const WORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while' +
    ' with yield match case'
  ).split(' '),
);
const VALUES = new Set(['False', 'None', 'True']);

interface State {
  quotes: string;
}

const python = StreamLanguage.define<State>({
  startState: () => ({ quotes: '' }),
  token: (stream, state) => {
    if (state.quotes === '' && stream.eatSpace()) {
      return null;
    }
    if (state.quotes === '') {
      if (stream.match(/^#.*/)) {
        return 'comment';
      }
      const opened = stream.match(/^[rRbBfFuU]{0,2}("""|'''|"|')/) as RegExpMatchArray | null;
      if (!opened) {
        if (stream.match(/^\d[\w.]*/)) {
          return 'number';
        }
        const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
        if (word) {
          return VALUES.has(word[0]) ? 'bool' : WORDS.has(word[0]) ? 'keyword' : null;
        }
        stream.next();
        return null;
      }
      state.quotes = opened[1]!;
    }
    while (!stream.eol()) {
      if (stream.match(state.quotes)) {
        state.quotes = '';
        return 'string';
      }
      if (stream.next() === '\\') {
        stream.next();
      }
    }
    if (state.quotes.length === 1) {
      state.quotes = '';
    }
    return 'string';
  },
  languageData: { commentTokens: { line: '#' } },
});

export const language: Language = (inputs) => [
  lineNumbers(),
  keymap.of([indentWithTab]),
  python,
  linter(({ state }) => codeProblems(state.doc.toString(), 'python', inputs())),
];
