import { indentWithTab } from '@codemirror/commands';
import {
  javascriptLanguage,
  localCompletionSource,
  scopeCompletionSource,
  typescriptLanguage,
} from '@codemirror/lang-javascript';
import { syntaxTree } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { keymap, lineNumbers } from '@codemirror/view';
import { t } from '../../base/text';
import type { Language } from './codeEditor';
import { nameProblems } from './codeNames';
import { codeProblems } from './codeProblems';

const PROBLEMS_MAX = 20;

/**
 * TypeScript: completes names and the inputs of the step with their samples, and marks syntax errors, unknown inputs, names
 * without a definition and promises without `await`. Types are not checked (decision 0426). Snippets and JSX tags are left out.
 */
export const language: Language = (inputs) => [
  lineNumbers(),
  keymap.of([indentWithTab]),
  typescriptLanguage,
  javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
  javascriptLanguage.data.of({ autocomplete: (context) => scopeCompletionSource({ inputs: inputs() })(context) }),
  linter(({ state }) => {
    const problems: Array<{ from: number; to: number; severity: string; message: string }> = [];
    syntaxTree(state).iterate({
      enter: ({ type, from, to }) => {
        if (type.isError && problems.length < PROBLEMS_MAX) {
          problems.push({
            from,
            to: Math.max(to, Math.min(from + 1, state.doc.length)),
            severity: 'error',
            message: t('code.syntax', { language: 'TypeScript' }),
          });
        }
      },
    });
    const text = state.doc.toString();
    return problems.length > 0
      ? problems
      : [...codeProblems(text, 'typescript', inputs()), ...nameProblems(text, syntaxTree(state).topNode)].slice(
          0,
          PROBLEMS_MAX,
        );
  }),
];
