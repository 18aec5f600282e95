import { addAll, add, apply, givenOf, moveTo, type Operation, type Version } from './operations';
import { findStep, innerOf, walk, type Step } from './steps';
import { remove } from './tree';

/** Operations that revert one, in order; empty if nothing would change. */
export function inverseOf(before: Version, operation: Operation): Operation[] {
  const { trigger } = before;
  const visited = (name: string) => walk(trigger).find(({ step }) => step.name === name);
  switch (operation.type) {
    case 'CHANGE_NAME':
      return [{ type: 'CHANGE_NAME', request: { displayName: before.displayName } }];
    case 'UPDATE_TRIGGER':
      return [{ type: 'UPDATE_TRIGGER', request: givenOf(trigger) }];
    case 'UPDATE_ACTION':
      return backTo(before, operation.request.name, operation.request.type);
    case 'ADD_ACTION':
      return [{ type: 'DELETE_ACTION', request: { names: [operation.request.action.name] } }];
    case 'DELETE_ACTION':
      return deleted(before, operation.request.names);
    case 'MOVE_ACTION': {
      const place = visited(operation.request.name)?.place;
      return place ? [moveTo(operation.request.name, place)] : [];
    }
    case 'DUPLICATE_ACTION': {
      const copy = findStep(apply(before, operation).trigger, operation.request.stepName)?.nextAction;
      return copy ? [{ type: 'DELETE_ACTION', request: { names: [copy.name] } }] : [];
    }
    case 'SET_SKIP_ACTION':
      return [true, false].flatMap((skip): Operation[] => {
        const names = operation.request.names.filter((name) => (findStep(trigger, name)?.skip ?? false) === skip);
        return names.length > 0 ? [{ type: 'SET_SKIP_ACTION', request: { names, skip } }] : [];
      });
    case 'ADD_BRANCH':
      return [
        {
          type: 'DELETE_BRANCH',
          request: { stepName: operation.request.stepName, branchIndex: operation.request.branchIndex },
        },
      ];
    case 'DUPLICATE_BRANCH':
      return [
        {
          type: 'DELETE_BRANCH',
          request: { stepName: operation.request.stepName, branchIndex: operation.request.branchIndex + 1 },
        },
      ];
    case 'DELETE_BRANCH':
      return withBranch(trigger, operation.request.stepName, operation.request.branchIndex);
    case 'MOVE_BRANCH': {
      const { stepName, sourceBranchIndex, targetBranchIndex } = operation.request;
      return [
        {
          type: 'MOVE_BRANCH',
          request: { stepName, sourceBranchIndex: targetBranchIndex, targetBranchIndex: sourceBranchIndex },
        },
      ];
    }
    case 'ADD_NOTE':
      return [{ type: 'DELETE_NOTE', request: { id: operation.request.id } }];
    case 'UPDATE_NOTE':
    case 'DELETE_NOTE': {
      const note = before.notes.find((each) => each.id === operation.request.id);
      return note ? [{ type: operation.type === 'UPDATE_NOTE' ? 'UPDATE_NOTE' : 'ADD_NOTE', request: note }] : [];
    }
    case 'IMPORT_FLOW':
    case 'USE_AS_DRAFT':
      return [
        {
          type: 'IMPORT_FLOW',
          request: { displayName: before.displayName, trigger, schemaVersion: '22', notes: before.notes },
        },
      ];
  }
}

/** Adds the steps again at their places at the time of removal, the last one first. */
function deleted(before: Version, names: string[]): Operation[] {
  let { trigger } = before;
  const back: Operation[][] = [];
  for (const name of names) {
    const found = walk(trigger).find(({ step }) => step.name === name);
    if (found?.place) {
      back.unshift(addAll(found.place, found.step));
      trigger = remove(trigger, name);
    }
  }
  return back.flat();
}

/** Restores a step and, if its type had changed, the steps inside it. */
function backTo(before: Version, name: string, type: string): Operation[] {
  const step = findStep(before.trigger, name);
  if (!step) {
    return [];
  }
  const update: Operation = { type: 'UPDATE_ACTION', request: givenOf(step) };
  return step.type === type
    ? [update]
    : [update, ...innerOf(step).flatMap(({ head, place }) => sequenceAt(head, place))];
}

function sequenceAt(head: Step | undefined, place: Parameters<typeof add>[0]): Operation[] {
  const operations: Operation[] = [];
  let at = place;
  for (let step = head; step; step = step.nextAction) {
    operations.push(...addAll(at, step));
    at = { parent: step.name, location: 'AFTER' };
  }
  return operations;
}

function withBranch(trigger: Step, stepName: string, branchIndex: number): Operation[] {
  const step = findStep(trigger, stepName);
  const branch = step?.settings.branches?.[branchIndex];
  if (!step || !branch) {
    return [];
  }
  return [
    {
      type: 'ADD_BRANCH',
      request: {
        stepName,
        branchIndex,
        branchName: branch.branchName,
        ...(branch.conditions ? { conditions: branch.conditions } : {}),
      },
    },
    ...sequenceAt(step.children?.[branchIndex] ?? undefined, {
      parent: stepName,
      location: 'INSIDE_BRANCH',
      branchIndex,
    }),
  ];
}
