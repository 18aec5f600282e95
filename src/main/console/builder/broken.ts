import type { FormulaProblems } from './data/formulaProblems';
import type { Resolution } from './data/references';
import { partsOf, resolve } from './data/references';
import type { StepNames } from './data/stepNames';
import { textsOf } from './data/stepTexts';
import { wordsOf } from './data/words';
import { t } from '../base/text';
import { walk, type Place, type Step } from './steps';

/** Broken references and formulas of each step, as messages by step name: to removed steps, and to steps that do not run before. */
export function brokenReferences(
  trigger: Step,
  names: StepNames,
  formulas: FormulaProblems,
): ReadonlyMap<string, string[]> {
  const visited = walk(trigger);
  const places = new Map(visited.map(({ step, place }) => [step.name, { step, place }]));
  const all = new Set(places.keys());
  const broken = new Map<string, string[]>();
  for (const { step } of visited) {
    const tokens = textsOf(step)
      .flatMap(partsOf)
      .filter((part) => part.kind === 'token');
    if (tokens.length > 0 && !step.skip) {
      const before = stepsAbove(step, places);
      const problems = tokens
        .map(
          (token) =>
            resolve(
              token.text,
              before,
              all,
              () => undefined,
              (name) => names.get(name),
              t('data.deleted'),
              (formula) => formulas.get(formula) ?? '',
            ).problem,
        )
        .filter((problem): problem is NonNullable<Resolution['problem']> => problem !== undefined);
      if (problems.length > 0) {
        broken.set(step.name, [...new Set(problems.map(wordsOf))]);
      }
    }
  }
  return broken;
}

function stepsAbove(step: Step, places: ReadonlyMap<string, { step: Step; place: Place | undefined }>): Step[] {
  const before: Step[] = [];
  for (let at = places.get(step.name)?.place; at; at = places.get(at.parent)?.place) {
    const parent = places.get(at.parent)?.step;
    if (parent) {
      before.unshift(parent);
    }
  }
  return before;
}
