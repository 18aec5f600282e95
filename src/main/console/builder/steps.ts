/** The settings depend on the type. */
export interface Step {
  name: string;
  type: StepType;
  displayName: string;
  valid: boolean;
  skip?: boolean;
  settings: Settings;
  nextAction?: Step;
  firstLoopAction?: Step;
  children?: Array<Step | null>;
  continueOnFailureBranches?: { onSuccess?: Step; onFailure?: Step };
}

export type StepType = 'EMPTY' | 'PIECE_TRIGGER' | 'CODE' | 'PIECE' | 'LOOP_ON_ITEMS' | 'ROUTER';

export interface Settings {
  pieceName?: string;
  pieceVersion?: string;
  triggerName?: string;
  actionName?: string;
  input?: Record<string, unknown>;
  propertySettings?: Record<string, PropertySetting>;
  errorHandlingOptions?: ErrorHandling;
  sourceCode?: { code: string; packageJson: string; language?: string };
  items?: string;
  executionType?: 'EXECUTE_FIRST_MATCH' | 'EXECUTE_ALL_MATCH';
  branches?: Branch[];
  sampleData?: { sampleDataFileId?: string; sampleDataInputFileId?: string; lastTestDate?: string };
  customLogoUrl?: string;
}

export interface PropertySetting {
  type: 'MANUAL' | 'DYNAMIC';
  schema?: unknown;
}

export interface ErrorHandling {
  continueOnFailure?: { value?: boolean };
  retryOnFailure?: { value?: boolean };
  onCrash?: 'retry' | 'fail' | null;
}

export interface Branch {
  branchName: string;
  branchType: 'CONDITION' | 'FALLBACK';
  conditions?: Condition[][];
}

export interface Condition {
  firstValue: string;
  secondValue?: string;
  operator?: string;
  caseSensitive?: boolean;
}

export type Location =
  | 'AFTER'
  | 'INSIDE_LOOP'
  | 'INSIDE_BRANCH'
  | 'INSIDE_ON_SUCCESS_BRANCH'
  | 'INSIDE_ON_FAILURE_BRANCH';

/** Place of a step: after another one, or first in a sequence inside it. */
export interface Place {
  parent: string;
  location: Location;
  branchIndex?: number;
}

export interface Inner {
  place: Place;
  head: Step | undefined;
}

/** Sequences inside a step, empty ones included. */
export function innerOf(step: Step): Inner[] {
  const parent = step.name;
  if (step.type === 'LOOP_ON_ITEMS') {
    return [{ place: { parent, location: 'INSIDE_LOOP' }, head: step.firstLoopAction }];
  }
  if (step.type === 'ROUTER') {
    return (step.settings.branches ?? []).map((_, branchIndex) => ({
      place: { parent, location: 'INSIDE_BRANCH', branchIndex },
      head: step.children?.[branchIndex] ?? undefined,
    }));
  }
  const outcomes = step.continueOnFailureBranches;
  return step.settings.errorHandlingOptions?.continueOnFailure?.value || outcomes?.onSuccess || outcomes?.onFailure
    ? [
        { place: { parent, location: 'INSIDE_ON_SUCCESS_BRANCH' }, head: outcomes?.onSuccess },
        { place: { parent, location: 'INSIDE_ON_FAILURE_BRANCH' }, head: outcomes?.onFailure },
      ]
    : [];
}

export interface Visited {
  step: Step;
  /** Place of the step; undefined for the trigger. */
  place: Place | undefined;
}

/** Steps in numbering order: a step, the steps inside it, the steps after it. */
export function walk(trigger: Step): Visited[] {
  const all: Visited[] = [];
  const waiting: Visited[] = [{ step: trigger, place: undefined }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { step } = next;
    all.push(next);
    if (step.nextAction) {
      waiting.push({ step: step.nextAction, place: { parent: step.name, location: 'AFTER' } });
    }
    for (const { place, head } of innerOf(step).reverse()) {
      if (head) {
        waiting.push({ step: head, place });
      }
    }
  }
  return all;
}

export const findStep = (trigger: Step, name: string): Step | undefined =>
  walk(trigger).find(({ step }) => step.name === name)?.step;

export function freeNames(trigger: Step, wanted: number): string[] {
  const taken = new Set(walk(trigger).map(({ step }) => step.name));
  const names: string[] = [];
  for (let n = 1; names.length < wanted; n++) {
    if (!taken.has(`step_${n}`)) {
      names.push(`step_${n}`);
    }
  }
  return names;
}

/** Steps that run before a given one: its path to the trigger with the loops around it, nearest last. */
export function stepsBefore(trigger: Step, name: string): Step[] {
  const visited = new Map(walk(trigger).map((each) => [each.step.name, each]));
  const before: Step[] = [];
  for (let at = visited.get(name)?.place; at; at = visited.get(at.parent)?.place) {
    const parent = visited.get(at.parent)?.step;
    if (parent) {
      before.unshift(parent);
    }
  }
  return before;
}

export const isInside = (outer: Step, name: string): boolean =>
  walk({ ...outer, nextAction: undefined } as Step).some(({ step }) => step.name === name);

export const isPlace = (one: Place, other: Place): boolean =>
  one.parent === other.parent && one.location === other.location && one.branchIndex === other.branchIndex;
