import { t } from '../../base/text';

export interface CodeProblem {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

type Language = 'typescript' | 'python';

/** Comments and strings of each language. A template literal counts as one string, with its expressions. */
const NO_CODE: Record<Language, RegExp> = {
  typescript: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?/g,
  python:
    /#[^\n]*|"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g,
};

/** Text of the same length in which comments and strings are blank. */
export const codeOnly = (text: string, language: Language): string =>
  text.replace(NO_CODE[language], (part) => part.replace(/[^\n]/g, ' '));

const FUNCTION: Record<Language, RegExp> = {
  typescript:
    /export\s+(?:const|let|var|(?:async\s+)?function)\s+code\b|export\s*\{[^}]*\bcode\b|\bexports\.code\b|\bmodule\.exports\b/,
  python: /^(?:async\s+)?def\s+code\s*\(|^code\s*=/m,
};

const PARAMETER: Record<Language, RegExp> = {
  typescript: /\bcode\b\s*=?\s*(?:async\s*)?(?:function\s*)?\(?\s*([A-Za-z_$][\w$]*)/,
  python: /\bdef\s+code\s*\(\s*([A-Za-z_]\w*)/,
};

const PATH: Record<Language, string> = {
  typescript: '((?:\\??\\.[A-Za-z_$][\\w$]*)+)',
  python: '((?:\\[(?:"\\w+"|\'\\w+\')\\])+)',
};
const KEY: Record<Language, RegExp> = { typescript: /[A-Za-z_$][\w$]*/g, python: /\w+/g };

/** Problems of a code step that need no execution: no function `code`, inputs that the samples do not have, open brackets. */
export function codeProblems(text: string, language: Language, inputs: Record<string, unknown>): CodeProblem[] {
  if (text.trim() === '') {
    return [];
  }
  const code = codeOnly(text, language);
  const isPython = language === 'python';
  const firstLine = text.indexOf('\n');
  const missing: CodeProblem[] = FUNCTION[language].test(code)
    ? []
    : [
        {
          from: 0,
          to: firstLine > 0 ? firstLine : text.length,
          severity: 'error',
          message: t(isPython ? 'code.noFunctionPython' : 'code.noFunction'),
        },
      ];
  return [...missing, ...(isPython ? openBrackets(code) : []), ...unknownInputs(text, code, language, inputs)];
}

function unknownInputs(text: string, code: string, language: Language, inputs: Record<string, unknown>): CodeProblem[] {
  const parameter = PARAMETER[language].exec(code)?.[1];
  if (parameter === undefined || Object.keys(inputs).length === 0) {
    return [];
  }
  const uses = text.matchAll(new RegExp(`(?<![\\w$.])${parameter.replaceAll('$', '\\$')}${PATH[language]}`, 'g'));
  return [...uses]
    .filter(({ index }) => code[index] !== ' ')
    .flatMap((use): CodeProblem[] => {
      const start = use.index + parameter.length;
      const isCall = text[start + use[1]!.length] === '(';
      const keys = [...use[1]!.matchAll(KEY[language])];
      let value: unknown = inputs;
      for (const [at, key] of keys.entries()) {
        if (value === null || typeof value !== 'object' || Array.isArray(value) || (isCall && at === keys.length - 1)) {
          return [];
        }
        if (!Object.hasOwn(value, key[0])) {
          const from = start + key.index;
          return [
            {
              from,
              to: from + key[0].length,
              severity: 'warning',
              message: t('code.unknownInput', { name: key[0], known: Object.keys(value).join(', ') }),
            },
          ];
        }
        value = (value as Record<string, unknown>)[key[0]];
      }
      return [];
    });
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** First bracket that is never closed, or that closes none. */
function openBrackets(code: string): CodeProblem[] {
  const open: Array<{ bracket: string; at: number }> = [];
  for (let at = 0; at < code.length; at++) {
    const letter = code[at]!;
    if (letter in CLOSING) {
      open.push({ bracket: letter, at });
    } else if (')]}'.includes(letter)) {
      const last = open.pop();
      if (last === undefined || CLOSING[last.bracket] !== letter) {
        return [{ from: at, to: at + 1, severity: 'error', message: t('code.noBracket', { bracket: letter }) }];
      }
    }
  }
  const last = open.at(-1);
  return last
    ? [{ from: last.at, to: last.at + 1, severity: 'error', message: t('code.openBracket', { bracket: last.bracket }) }]
    : [];
}
