import type { Step } from '../steps';
import { innerOf, isFormula } from './formulas';

export type Part = { kind: 'text'; text: string } | { kind: 'token'; text: string };

export function partsOf(text: string): Part[] {
  return text
    .split(/(ap-formula-v1::\{[\s\S]*?\}::ap-formula-v1|\{\{[\s\S]*?\}\})/)
    .filter((part) => part !== '')
    .map((part) =>
      isFormula(part) || (part.startsWith('{{') && part.endsWith('}}') && part.length > 4)
        ? { kind: 'token', text: part }
        : { kind: 'text', text: part },
    );
}

export const hasTokens = (text: string): boolean => partsOf(text).some((part) => part.kind === 'token');

export interface Reference {
  root: string;
  path: Array<string | number>;
}

const ROOT = /^\s*([A-Za-z_]\w*)/;
const SEGMENT = /^(?:\.([A-Za-z_$][\w$]*)|\[\s*'((?:[^'\\]|\\.)*)'\s*\]|\[\s*"((?:[^"\\]|\\.)*)"\s*\]|\[\s*(\d+)\s*\])/;

/** Reference in a token that contains nothing else. */
export function referenceOf(token: string): Reference | undefined {
  let rest = token.replace(/^\{\{/, '').replace(/\}\}$/, '');
  const root = ROOT.exec(rest);
  if (!root) {
    return undefined;
  }
  rest = rest.slice(root[0].length);
  const path: Array<string | number> = [];
  for (let segment = SEGMENT.exec(rest); segment; segment = SEGMENT.exec(rest)) {
    const quoted = segment[2] ?? segment[3];
    path.push(
      segment[4] !== undefined
        ? Number(segment[4])
        : quoted !== undefined
          ? quoted.replace(/\\(.)/g, '$1')
          : segment[1]!,
    );
    rest = rest.slice(segment[0].length);
  }
  return rest.trim() === '' ? { root: root[1]!, path } : undefined;
}

export function tokenOf(stepName: string, path: ReadonlyArray<string | number>): string {
  const segments = path.map((segment) =>
    typeof segment === 'number' ? `[${segment}]` : `['${segment.replace(/[\\']/g, '\\$&')}']`,
  );
  return `{{${stepName}['output']${segments.join('')}}}`;
}

export type Found = { state: 'some'; value: unknown } | { state: 'none'; missing: string };

/** Follows a path into a value; `length` of texts and lists counts as found. */
export function follow(value: unknown, path: ReadonlyArray<string | number>): Found {
  let at = value;
  for (const segment of path) {
    if (at !== null && typeof at === 'object' && segment in at) {
      at = (at as Record<string | number, unknown>)[segment];
    } else if (segment === 'length' && (typeof at === 'string' || Array.isArray(at))) {
      at = at.length;
    } else {
      return { state: 'none', missing: String(segment) };
    }
  }
  return { state: 'some', value: at };
}

export interface Resolution {
  label: string;
  /** `name` is the display name of a step that was removed, or that does not run before. */
  problem?: { kind: 'step' | 'later' | 'path' | 'syntax' | 'formula'; what: string; name?: string };
  value?: unknown;
}

const OTHER_ROOTS = new Set(['connections', 'variables', 'flow', 'run', 'project']);

/** Label of a formula: its text, with the labels of its references; its problem, or the first of a reference. */
function resolveFormula(token: string, invalid: string, resolved: (inner: string) => Resolution): Resolution {
  const parts = partsOf(innerOf(token)).map((part) =>
    part.kind === 'token' ? resolved(part.text) : { label: part.text },
  );
  const problem: Resolution['problem'] =
    invalid === ''
      ? parts.map((part: Resolution) => part.problem).find((each) => each !== undefined)
      : { kind: 'formula', what: invalid };
  return { label: `ƒ ${parts.map((part) => part.label).join('')}`, ...(problem ? { problem } : {}) };
}

const problemWith = (root: string, all: ReadonlySet<string>, nameOf: NameOf): NonNullable<Resolution['problem']> => {
  const name = nameOf(root);
  return { kind: all.has(root) ? 'later' : 'step', what: root, ...(name === undefined ? {} : { name }) };
};

type NameOf = (stepName: string) => string | undefined;

const labelOf = (step: string, path: ReadonlyArray<string | number>): string =>
  [step, ...path.map((segment) => (typeof segment === 'number' ? `${segment + 1}.` : segment))].join(' › ');

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** True if a bracket or a quote of an expression has no counterpart. Expressions with a slash can hold a pattern and are not checked. */
export function isOpen(expression: string): boolean {
  if (expression.includes('/')) {
    return false;
  }
  const expected: string[] = [];
  let quote = '';
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at]!;
    if (quote !== '') {
      at += character === '\\' ? 1 : 0;
      quote = character === quote ? '' : quote;
    } else if ('"\'`'.includes(character)) {
      quote = character;
    } else if (character in CLOSING) {
      expected.push(CLOSING[character]!);
    } else if (')]}'.includes(character) && expected.pop() !== character) {
      return true;
    }
  }
  return quote !== '' || expected.length > 0;
}

/**
 * @param before   steps that run before, whose output is available
 * @param all      names of all steps
 * @param sampleOf output of a step in its last test; undefined if unknown
 * @param nameOf   display name of a step that does not run before, or that was removed
 * @param deleted  mark of a removed step in labels
 * @param invalidOf problem of a formula with any values; empty if it has none or was not checked
 */
export function resolve(
  token: string,
  before: readonly Step[],
  all: ReadonlySet<string>,
  sampleOf: (name: string) => { value: unknown } | undefined,
  nameOf: NameOf = () => undefined,
  deleted = '',
  invalidOf: (formula: string) => string = () => '',
): Resolution {
  if (isFormula(token)) {
    return resolveFormula(token, invalidOf(innerOf(token)), (inner) =>
      resolve(inner, before, all, sampleOf, nameOf, deleted),
    );
  }
  const reference = referenceOf(token);
  const inner = token.slice(2, -2).trim();
  if (!reference) {
    const unknown = [...inner.matchAll(/\b(step_\d+)\b/g)]
      .map((match) => match[1]!)
      .find((name) => !before.some((step) => step.name === name));
    return unknown
      ? { label: inner, problem: problemWith(unknown, all, nameOf) }
      : isOpen(inner)
        ? { label: inner, problem: { kind: 'syntax', what: inner } }
        : { label: inner };
  }
  const { root, path } = reference;
  const step = before.find((each) => each.name === root);
  if (!step) {
    const isStep = root === 'trigger' || /^step_\d+$/.test(root) || all.has(root);
    if (isStep && !OTHER_ROOTS.has(root)) {
      const problem = problemWith(root, all, nameOf);
      const rest = path[0] === 'output' ? path.slice(1) : path;
      return {
        label:
          problem.name === undefined
            ? inner
            : labelOf(problem.kind === 'step' ? `${problem.name} ${deleted}` : problem.name, rest),
        problem,
      };
    }
    return { label: path.length > 0 ? `${root} › ${path.join(' › ')}` : inner };
  }
  const [first, ...rest] = path;
  const inOutput = first === 'output' ? rest : path;
  const label = labelOf(step.displayName, inOutput);
  const sample = sampleOf(root);
  if (!sample || first !== 'output') {
    return { label };
  }
  const found = follow(sample.value, inOutput);
  return found.state === 'some'
    ? { label, value: found.value }
    : { label, problem: { kind: 'path', what: found.missing } };
}
