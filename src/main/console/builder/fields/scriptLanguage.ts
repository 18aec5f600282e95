import { indentWithTab } from '@codemirror/commands';
import { javascriptLanguage, localCompletionSource, scopeCompletionSource, typescriptLanguage } from '@codemirror/lang-javascript';
import { keymap, lineNumbers } from '@codemirror/view';
import type { Language } from './codeEditor';

/** TypeScript, which completes its own names and those of the step's inputs. What it also brings, snippets and tags of JSX, stays away. */
export const language: Language = (inputs) => [
  lineNumbers(),
  keymap.of([indentWithTab]),
  typescriptLanguage,
  javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
  javascriptLanguage.data.of({ autocomplete: (context) => scopeCompletionSource({ inputs: Object.fromEntries(inputs().map((name) => [name, ''])) })(context) }),
];
