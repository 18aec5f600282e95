import { walk, type Step } from '../steps';
import { innerOf, isFormula } from './formulas';
import { partsOf } from './references';

export function textsOf(step: Step): string[] {
  const { input, items, branches } = step.settings;
  const conditions = (branches ?? []).flatMap((branch) => (branch.conditions ?? []).flat());
  return [
    ...leavesOf(input),
    ...leavesOf(items),
    ...conditions.flatMap((each) => [each.firstValue, ...(each.secondValue === undefined ? [] : [each.secondValue])]),
  ];
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, part]) => [key, ...leavesOf(part)])
    : [];
}

export const formulasOf = (trigger: Step): string[] => [
  ...new Set(
    walk(trigger)
      .flatMap(({ step }) => textsOf(step).flatMap(partsOf))
      .filter((part) => part.kind === 'token' && isFormula(part.text))
      .map((part) => innerOf(part.text)),
  ),
];
