import { apply, givenOf, type Given, type Note, type Operation, type Version } from '../operations';
import { findStep, walk, type Branch } from '../steps';
import { alone } from '../tree';

/** Part of the flow that an operation changes, as its author saw it: the merge base when another writer has changed it since. */
export interface Seen {
  displayName?: string;
  step?: Given;
  branches?: Branch[];
  /** Steps that the operation removes or replaces. */
  inside?: Given[];
  /** Names that the operation gives to the steps it adds. */
  added?: string[];
  note?: Note;
  notes?: Note[];
}

export interface Edit {
  operation: Operation;
  seen: Seen;
}

const namesOf = (version: Version): string[] => walk(version.trigger).map(({ step }) => step.name);

function addedBy(version: Version, operation: Operation): string[] {
  const before = new Set(namesOf(version));
  return namesOf(apply(version, operation)).filter((name) => !before.has(name));
}

export const noteOf = ({ id, content, color, position, size }: Note): Note => ({ id, content, color, position, size });

export function seenBy(version: Version, operation: Operation): Seen {
  const { trigger } = version;
  const branchesOf = (name: string): Pick<Seen, 'branches'> => {
    const branches = findStep(trigger, name)?.settings.branches;
    return branches ? { branches } : {};
  };
  const noted = (id: string): Seen => {
    const note = version.notes.find((each) => each.id === id);
    return note ? { note: noteOf(note) } : {};
  };
  switch (operation.type) {
    case 'CHANGE_NAME':
      return { displayName: version.displayName };
    case 'UPDATE_TRIGGER':
    case 'UPDATE_ACTION': {
      const step = findStep(trigger, operation.request.name);
      return step ? { step: givenOf(step) } : {};
    }
    case 'ADD_ACTION':
      return operation.request.branchIndex === undefined ? {} : branchesOf(operation.request.parentStep);
    case 'MOVE_ACTION':
      return operation.request.branchIndex === undefined ? {} : branchesOf(operation.request.newParentStep);
    case 'DELETE_ACTION':
      return { inside: operation.request.names.flatMap((name) => insideOf(version, name)) };
    case 'DUPLICATE_ACTION':
      return { added: addedBy(version, operation) };
    case 'DUPLICATE_BRANCH':
      return { ...branchesOf(operation.request.stepName), added: addedBy(version, operation) };
    case 'DELETE_BRANCH':
      return {
        ...branchesOf(operation.request.stepName),
        inside: branchOf(version, operation.request.stepName, operation.request.branchIndex),
      };
    case 'ADD_BRANCH':
    case 'MOVE_BRANCH':
      return branchesOf(operation.request.stepName);
    case 'UPDATE_NOTE':
    case 'DELETE_NOTE':
      return noted(operation.request.id);
    case 'IMPORT_FLOW':
      return {
        displayName: version.displayName,
        inside: walk(trigger).map(({ step }) => givenOf(step)),
        notes: version.notes.map(noteOf),
      };
    case 'SET_SKIP_ACTION':
    case 'ADD_NOTE':
    case 'USE_AS_DRAFT':
      return {};
  }
}

export function insideOf(version: Version, name: string): Given[] {
  const step = findStep(version.trigger, name);
  return step ? walk(alone(step)).map((visited) => givenOf(visited.step)) : [];
}

export function branchOf(version: Version, stepName: string, branchIndex: number): Given[] {
  const head = findStep(version.trigger, stepName)?.children?.[branchIndex];
  return head ? walk(head).map(({ step }) => givenOf(step)) : [];
}

export function editsOf(version: Version, operations: readonly Operation[]): Edit[] {
  let at = version;
  return operations.map((operation) => {
    const edit = { operation, seen: seenBy(at, operation) };
    at = apply(at, operation);
    return edit;
  });
}
