import { json } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import type { Language } from './codeEditor';
import { jsonProblem } from './jsonTemplate';

export const language: Language = () => [
  json(),
  linter(({ state }) => {
    const text = state.doc.toString();
    const problem = jsonProblem(text);
    const from = Math.min(problem?.at ?? 0, Math.max(0, text.length - 1));
    return problem ? [{ from, to: Math.min(text.length, from + 1), severity: 'error', message: problem.reason }] : [];
  }),
];
