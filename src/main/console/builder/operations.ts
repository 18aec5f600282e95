import {
  findStep,
  walk,
  type Branch,
  type Condition,
  type Place,
  type Settings,
  type Step,
  type StepType,
} from './steps';
import { alone, changeStep, copyOf, emptyConditions, insert, rebuild, remove } from './tree';

/** Step as operations carry it: without links, dates and sample data. */
export interface Given {
  type: StepType;
  name: string;
  displayName: string;
  valid: boolean;
  skip?: boolean;
  settings: Settings;
}

export interface Note {
  id: string;
  content: string;
  color: 'orange' | 'red' | 'green' | 'blue' | 'purple' | 'yellow';
  position: { x: number; y: number };
  size: { width: number; height: number };
}

export interface Version {
  displayName: string;
  trigger: Step;
  notes: Note[];
}

type Located = { stepLocationRelativeToParent: Place['location']; branchIndex?: number };

export type Operation =
  | { type: 'CHANGE_NAME'; request: { displayName: string } }
  | { type: 'UPDATE_TRIGGER'; request: Given }
  | { type: 'ADD_ACTION'; request: { parentStep: string; action: Given } & Located }
  | { type: 'UPDATE_ACTION'; request: Given }
  | { type: 'DELETE_ACTION'; request: { names: string[] } }
  | {
      type: 'MOVE_ACTION';
      request: {
        name: string;
        newParentStep: string;
        stepLocationRelativeToNewParent: Place['location'];
        branchIndex?: number;
      };
    }
  | { type: 'DUPLICATE_ACTION'; request: { stepName: string } }
  | { type: 'SET_SKIP_ACTION'; request: { names: string[]; skip: boolean } }
  | {
      type: 'ADD_BRANCH';
      request: { stepName: string; branchIndex: number; branchName: string; conditions?: Condition[][] };
    }
  | { type: 'DELETE_BRANCH'; request: { stepName: string; branchIndex: number } }
  | { type: 'DUPLICATE_BRANCH'; request: { stepName: string; branchIndex: number } }
  | { type: 'MOVE_BRANCH'; request: { stepName: string; sourceBranchIndex: number; targetBranchIndex: number } }
  | { type: 'ADD_NOTE' | 'UPDATE_NOTE'; request: Note }
  | { type: 'DELETE_NOTE'; request: { id: string } }
  | {
      type: 'IMPORT_FLOW';
      request: { displayName: string; trigger: Step; schemaVersion: string | null; notes: Note[] };
    }
  | { type: 'USE_AS_DRAFT'; request: { versionId: string } };

export function givenOf(step: Step): Given {
  const settings = { ...step.settings };
  delete settings.sampleData;
  return {
    type: step.type,
    name: step.name,
    displayName: step.displayName,
    valid: step.valid,
    ...(step.skip ? { skip: true } : {}),
    settings,
  };
}

export const add = (place: Place, action: Given): Operation => ({
  type: 'ADD_ACTION',
  request: {
    parentStep: place.parent,
    action,
    stepLocationRelativeToParent: place.location,
    ...(place.branchIndex === undefined ? {} : { branchIndex: place.branchIndex }),
  },
});

/** Adds a step and the steps inside it, parents first. */
export const addAll = (place: Place, step: Step): Operation[] =>
  walk(alone(step)).map((visited) => add(visited.place ?? place, givenOf(visited.step)));

export const moveTo = (name: string, place: Place): Operation => ({
  type: 'MOVE_ACTION',
  request: {
    name,
    newParentStep: place.parent,
    stepLocationRelativeToNewParent: place.location,
    ...(place.branchIndex === undefined ? {} : { branchIndex: place.branchIndex }),
  },
});

export function apply(version: Version, operation: Operation): Version {
  const change = (trigger: Step): Version => ({ ...version, trigger });
  const { trigger } = version;
  switch (operation.type) {
    case 'CHANGE_NAME':
      return { ...version, displayName: operation.request.displayName };
    case 'UPDATE_TRIGGER':
    case 'UPDATE_ACTION':
      return change(changeStep(trigger, operation.request.name, (step) => updated(step, operation.request)));
    case 'ADD_ACTION': {
      const { parentStep, action, stepLocationRelativeToParent, branchIndex } = operation.request;
      const fresh: Step = {
        ...action,
        ...(action.type === 'ROUTER' ? { children: (action.settings.branches ?? []).map(() => null) } : {}),
      };
      return change(
        insert(
          trigger,
          {
            parent: parentStep,
            location: stepLocationRelativeToParent,
            ...(branchIndex === undefined ? {} : { branchIndex }),
          },
          fresh,
        ),
      );
    }
    case 'DELETE_ACTION':
      return change(operation.request.names.reduce(remove, trigger));
    case 'MOVE_ACTION': {
      const { name, newParentStep, stepLocationRelativeToNewParent, branchIndex } = operation.request;
      const step = findStep(trigger, name);
      return step
        ? change(
            insert(
              remove(trigger, name),
              {
                parent: newParentStep,
                location: stepLocationRelativeToNewParent,
                ...(branchIndex === undefined ? {} : { branchIndex }),
              },
              alone(step),
            ),
          )
        : version;
    }
    case 'DUPLICATE_ACTION': {
      const step = findStep(trigger, operation.request.stepName);
      return step ? change(insert(trigger, { parent: step.name, location: 'AFTER' }, copyOf(trigger, step))) : version;
    }
    case 'SET_SKIP_ACTION': {
      const { names, skip } = operation.request;
      return change(rebuild(trigger, (step) => (names.includes(step.name) ? { ...step, skip } : step)));
    }
    case 'ADD_BRANCH':
    case 'DELETE_BRANCH':
    case 'DUPLICATE_BRANCH':
    case 'MOVE_BRANCH':
      return change(changeStep(trigger, operation.request.stepName, (step) => branched(trigger, step, operation)));
    case 'ADD_NOTE':
      return { ...version, notes: [...version.notes, operation.request] };
    case 'UPDATE_NOTE':
      return {
        ...version,
        notes: version.notes.map((note) =>
          note.id === operation.request.id ? { ...note, ...operation.request } : note,
        ),
      };
    case 'DELETE_NOTE':
      return { ...version, notes: version.notes.filter((note) => note.id !== operation.request.id) };
    case 'IMPORT_FLOW':
      return {
        displayName: operation.request.displayName,
        trigger: operation.request.trigger,
        notes: operation.request.notes,
      };
    case 'USE_AS_DRAFT':
      return version;
  }
}

function updated(step: Step, given: Given): Step {
  const sampleData = step.type === given.type ? step.settings.sampleData : undefined;
  const next: Step = {
    ...step,
    ...given,
    skip: given.skip ?? false,
    settings: { ...given.settings, ...(sampleData ? { sampleData } : {}) },
  };
  if (given.type === 'ROUTER' && step.type !== 'ROUTER') {
    next.children = (given.settings.branches ?? []).map(() => null);
  }
  return next;
}

type BranchOperation = Extract<
  Operation,
  { request: { stepName: string; branchIndex: number } } | { type: 'MOVE_BRANCH' }
>;

function branched(trigger: Step, step: Step, operation: BranchOperation): Step {
  const rows = (step.settings.branches ?? []).map((branch, index) => ({
    branch,
    child: step.children?.[index] ?? null,
  }));
  switch (operation.type) {
    case 'ADD_BRANCH': {
      const { branchIndex, branchName, conditions } = operation.request;
      rows.splice(branchIndex, 0, {
        branch: { branchName, branchType: 'CONDITION', conditions: conditions ?? emptyConditions() },
        child: null,
      });
      break;
    }
    case 'DELETE_BRANCH':
      rows.splice(operation.request.branchIndex, 1);
      break;
    case 'DUPLICATE_BRANCH': {
      const row = rows[operation.request.branchIndex];
      if (row) {
        const branch: Branch = {
          branchType: 'CONDITION',
          branchName: `${row.branch.branchName} Copy`,
          conditions: row.branch.conditions ?? emptyConditions(),
        };
        rows.splice(operation.request.branchIndex + 1, 0, {
          branch,
          child: row.child ? copyOf(trigger, row.child) : null,
        });
      }
      break;
    }
    case 'MOVE_BRANCH': {
      const { sourceBranchIndex, targetBranchIndex } = operation.request;
      rows.splice(targetBranchIndex, 0, ...rows.splice(sourceBranchIndex, 1));
      break;
    }
  }
  return {
    ...step,
    settings: { ...step.settings, branches: rows.map((row) => row.branch) },
    children: rows.map((row) => row.child),
  };
}
