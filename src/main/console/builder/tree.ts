import { freeNames, innerOf, type Condition, type Place, type Step, walk } from './steps';

/** Tree operations with the semantics of the server. Trees are never mutated. */

/** Rebuilds a tree bottom-up: the function gets each step with its inner and following steps already replaced. */
export function rebuild(step: Step, change: (step: Step) => Step): Step {
  // From the end of the sequence to its head: recursion would overflow the stack for long flows.
  const chain: Step[] = [];
  for (let at: Step | undefined = step; at; at = at.nextAction) {
    chain.push(at);
  }
  let next: Step | undefined;
  for (const at of chain.reverse()) {
    next = change(withInner({ ...at, ...(next ? { nextAction: next } : {}) }, change));
  }
  return next!;
}

function withInner(step: Step, change: (step: Step) => Step): Step {
  const inside = (head: Step | null | undefined): Step | undefined => (head ? rebuild(head, change) : undefined);
  const outcomes = step.continueOnFailureBranches;
  return {
    ...step,
    ...(step.firstLoopAction ? { firstLoopAction: inside(step.firstLoopAction)! } : {}),
    ...(step.children ? { children: step.children.map((child) => inside(child) ?? null) } : {}),
    ...(outcomes
      ? {
          continueOnFailureBranches: {
            ...(outcomes.onSuccess ? { onSuccess: inside(outcomes.onSuccess)! } : {}),
            ...(outcomes.onFailure ? { onFailure: inside(outcomes.onFailure)! } : {}),
          },
        }
      : {}),
  };
}

export const changeStep = (trigger: Step, name: string, change: (step: Step) => Step): Step =>
  rebuild(trigger, (step) => (step.name === name ? change(step) : step));

const headAt = (step: Step, place: Place): Step | undefined =>
  place.location === 'AFTER'
    ? step.nextAction
    : (innerOf(step).find(
        (inner) => inner.place.location === place.location && inner.place.branchIndex === place.branchIndex,
      )?.head ??
      (place.location === 'INSIDE_ON_SUCCESS_BRANCH' ? step.continueOnFailureBranches?.onSuccess : undefined) ??
      (place.location === 'INSIDE_ON_FAILURE_BRANCH' ? step.continueOnFailureBranches?.onFailure : undefined));

/** Replaces the sequence at the place; undefined empties it. */
function setHead(step: Step, place: Place, head: Step | undefined): Step {
  const without = <K extends keyof Step>(key: K): Step => {
    const copy = { ...step };
    delete copy[key];
    return copy;
  };
  switch (place.location) {
    case 'AFTER':
      return head ? { ...step, nextAction: head } : without('nextAction');
    case 'INSIDE_LOOP':
      return head ? { ...step, firstLoopAction: head } : without('firstLoopAction');
    case 'INSIDE_BRANCH': {
      const children = (step.settings.branches ?? []).map((_, index) => step.children?.[index] ?? null);
      return {
        ...step,
        children: children.map((child, index) => (index === place.branchIndex ? (head ?? null) : child)),
      };
    }
    default: {
      const key = place.location === 'INSIDE_ON_SUCCESS_BRANCH' ? 'onSuccess' : 'onFailure';
      const outcomes = { ...step.continueOnFailureBranches };
      delete outcomes[key];
      return { ...step, continueOnFailureBranches: head ? { ...outcomes, [key]: head } : outcomes };
    }
  }
}

/** Inserts a step with the steps inside it; the previous step at the place follows it. */
export function insert(trigger: Step, place: Place, step: Step): Step {
  return changeStep(trigger, place.parent, (parent) => {
    const old = headAt(parent, place);
    return setHead(parent, place, { ...step, ...(old ? { nextAction: old } : {}) });
  });
}

/** Removes a step with the steps inside it; the next step takes its place. */
export function remove(trigger: Step, name: string): Step {
  const place = walk(trigger).find(({ step }) => step.name === name)?.place;
  return place
    ? changeStep(trigger, place.parent, (parent) => setHead(parent, place, headAt(parent, place)?.nextAction))
    : trigger;
}

export function alone(step: Step): Step {
  const copy = { ...step };
  delete copy.nextAction;
  return copy;
}

/** Copies of steps under unused names, with the references among them renamed. */
export function copyOf(trigger: Step, original: Step): Step {
  const old = walk(alone(original)).map(({ step }) => step.name);
  const names = new Map(freeNames(trigger, old.length).map((fresh, index) => [old[index]!, fresh]));
  const renamed = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replace(/\{\{(.*?)\}\}/gs, (token) => {
          let text = token;
          names.forEach((_, from) => {
            text = text.replace(new RegExp(`\\b${from}\\b`, 'g'), `\u0000${from}\u0000`);
          });
          return text.replace(/\u0000(\w+)\u0000/g, (_, from: string) => names.get(from) ?? from);
        })
      : Array.isArray(value)
        ? value.map(renamed)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, renamed(part)]))
          : value;
  return rebuild(alone(original), (step) => ({
    ...step,
    name: names.get(step.name) ?? step.name,
    displayName: `${step.displayName} Copy`,
    settings: {
      ...step.settings,
      sampleData: {},
      ...(step.settings.input ? { input: renamed(step.settings.input) as Record<string, unknown> } : {}),
    },
  }));
}

export const emptyConditions = (): Condition[][] => [
  [{ firstValue: '', secondValue: '', operator: 'TEXT_CONTAINS', caseSensitive: false }],
];
