import { useEffect, useMemo } from 'preact/hooks';
import { api } from '../../base/api/client';
import { useMay } from '../../base/permissions';
import { createStore, useStore } from '../../base/store';
import type { Step } from '../steps';
import { formulaToken } from './formulas';
import { formulasOf } from './stepTexts';

/** Problem of each checked formula by its text, for any samples; empty if it has none. */
export type FormulaProblems = ReadonlyMap<string, string>;

export const formulaProblems = createStore<FormulaProblems>(new Map());

const PAUSE_MS = 300;
/** Formulas that are kept; beyond that, the oldest are checked again when they are shown. */
const KEPT_MAX = 2_000;

/** Formulas that cannot be checked stay unchecked. */
export async function checkFormulas(projectId: string, formulas: readonly string[]): Promise<void> {
  const unchecked = formulas.filter((formula) => !formulaProblems.get().has(formula)).slice(0, KEPT_MAX);
  if (unchecked.length === 0) {
    return;
  }
  const answer = await api('POST /v1/sample-data/preview', {
    body: { projectId, value: unchecked.map(formulaToken), samples: {} },
  });
  if (answer.ok) {
    const found = new Map((answer.value.invalid ?? []).map(({ text, problem }) => [text, problem]));
    const checked = unchecked.map((formula): [string, string] => [formula, found.get(formula) ?? '']);
    formulaProblems.update((known) => new Map([...known, ...checked].slice(-KEPT_MAX)));
  }
}

export function useFormulaChecks(trigger: Step, projectId: string): void {
  const mayWrite = useMay('WRITE_FLOW');
  const formulas = useMemo(() => formulasOf(trigger), [trigger]);
  const known = useStore(formulaProblems);
  const isChecked = formulas.every((formula) => known.has(formula));
  useEffect(() => {
    const timer =
      mayWrite && !isChecked ? setTimeout(() => void checkFormulas(projectId, formulas), PAUSE_MS) : undefined;
    return () => clearTimeout(timer);
  }, [formulas.join('\n'), isChecked, mayWrite, projectId]);
}
