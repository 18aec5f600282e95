import type { Step } from '../steps';

/** Texts of a step that can contain references: inputs, the list of a loop, the conditions of a router. */
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
