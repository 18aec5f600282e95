import { apply, givenOf, type Given, type Note, type Operation, type Version } from '../operations';
import { findStep, freeNames, isInside, type Branch } from '../steps';
import { merge, same, type Clash } from './merge';
import { essence, mergeStep, placeOf } from './mergeStep';
import { renameEdit } from './rename';
import { branchOf, insideOf, noteOf, seenBy, type Edit, type Seen } from './seen';

export type Subject = { kind: 'flow' } | { kind: 'step'; name: string } | { kind: 'note'; id: string };

/** Property that this editor and another writer changed to different values: the flow has theirs. */
export type Conflict = Clash & { subject: Subject };

/** Operation that is not applied: another writer removed its object, or changed what it removes. */
export interface Dropped {
  operation: Operation;
  reason: 'removed' | 'changed';
}

export interface Rebased {
  edits: Edit[];
  conflicts: Conflict[];
  dropped: Dropped[];
  /** New names of steps that these edits add, because another writer took the old ones. */
  renames: Map<string, string>;
  version: Version;
}

type Outcome = { operation?: Operation | undefined; clashes?: Clash[]; subject?: Subject; dropped?: Dropped['reason'] };

/** Rebases edits onto a version that another writer has changed: changes of both writers are kept. */
export function rebase(edits: readonly Edit[], onto: Version): Rebased {
  const result: Rebased = { edits: [], conflicts: [], dropped: [], renames: new Map(), version: onto };
  for (const original of edits) {
    const edit = renameEdit(original, result.renames);
    const { operation, clashes = [], subject, dropped } = outcomeOf(edit, result.version, result.renames);
    if (subject) {
      result.conflicts.push(...clashes.map((clash) => ({ ...clash, subject })));
    }
    if (dropped) {
      result.dropped.push({ operation: edit.operation, reason: dropped });
    }
    if (operation) {
      const seen = seenBy(result.version, operation);
      const next = apply(result.version, operation);
      edit.seen.added?.forEach((name, index) => {
        const now = seen.added?.[index];
        if (now !== undefined && now !== name) {
          result.renames.set(name, now);
        }
      });
      result.edits.push({ operation, seen });
      result.version = next;
    }
  }
  return result;
}

function outcomeOf({ operation, seen }: Edit, now: Version, renames: Map<string, string>): Outcome {
  switch (operation.type) {
    case 'CHANGE_NAME': {
      const clashes: Clash[] = [];
      const displayName = merge(seen.displayName, operation.request.displayName, now.displayName, clashes, [
        'displayName',
      ]) as string;
      return {
        operation: displayName === now.displayName ? undefined : { ...operation, request: { displayName } },
        clashes,
        subject: { kind: 'flow' },
      };
    }
    case 'UPDATE_TRIGGER':
    case 'UPDATE_ACTION':
      return updated(operation, seen, now);
    case 'ADD_ACTION':
      return added(operation, seen, now, renames);
    case 'DELETE_ACTION':
      return deleted(operation, seen, now);
    case 'MOVE_ACTION':
      return moved(operation, seen, now);
    case 'DUPLICATE_ACTION':
      return findStep(now.trigger, operation.request.stepName) ? { operation } : { dropped: 'removed' };
    case 'SET_SKIP_ACTION': {
      const names = operation.request.names.filter((name) => findStep(now.trigger, name));
      return names.length === 0
        ? { dropped: 'removed' }
        : { operation: { ...operation, request: { ...operation.request, names } } };
    }
    case 'ADD_BRANCH':
    case 'DELETE_BRANCH':
    case 'DUPLICATE_BRANCH':
    case 'MOVE_BRANCH':
      return branched(operation, seen, now);
    case 'UPDATE_NOTE':
    case 'DELETE_NOTE':
      return noted(operation, seen, now);
    case 'IMPORT_FLOW':
      return !seen.inside || same(seenBy(now, operation), seen) ? { operation } : { dropped: 'changed' };
    case 'ADD_NOTE':
    case 'USE_AS_DRAFT':
      return { operation };
  }
}

type Of<T extends Operation['type']> = Extract<Operation, { type: T }>;

function updated(operation: Of<'UPDATE_TRIGGER'> | Of<'UPDATE_ACTION'>, seen: Seen, now: Version): Outcome {
  const step = findStep(now.trigger, operation.request.name);
  if (!step) {
    return { dropped: 'removed' };
  }
  const theirs = givenOf(step);
  const clashes: Clash[] = [];
  const request = mergeStep(seen.step ?? theirs, operation.request, theirs, clashes);
  return {
    operation: same(essence(request), essence(theirs)) ? undefined : { ...operation, request },
    clashes,
    subject: { kind: 'step', name: step.name },
  };
}

const branchNow = (seen: Seen, now: Version, stepName: string, index: number): number | undefined =>
  seen.branches ? placeOf(seen.branches, findStep(now.trigger, stepName)?.settings.branches ?? [], index) : index;

function added(operation: Of<'ADD_ACTION'>, seen: Seen, now: Version, renames: Map<string, string>): Outcome {
  const { parentStep, branchIndex, action } = operation.request;
  const at = branchIndex === undefined ? undefined : branchNow(seen, now, parentStep, branchIndex);
  if (!findStep(now.trigger, parentStep) || (branchIndex !== undefined && at === undefined)) {
    return { dropped: 'removed' };
  }
  const isTaken = findStep(now.trigger, action.name) !== undefined;
  const name = isTaken ? freeNames(now.trigger, 1)[0]! : action.name;
  if (isTaken) {
    renames.set(action.name, name);
  }
  return {
    operation: {
      ...operation,
      request: { ...operation.request, action: { ...action, name }, ...(at === undefined ? {} : { branchIndex: at }) },
    },
  };
}

const isUnchanged = (seen: readonly Given[] | undefined, now: readonly Given[]): boolean => {
  if (!seen) {
    return true;
  }
  const byName = (steps: readonly Given[]): unknown =>
    Object.fromEntries(steps.map((step) => [step.name, essence(step)]));
  return same(byName(seen), byName(now));
};

/** Keeps a step that another writer has changed or filled since it was seen. */
function deleted(operation: Of<'DELETE_ACTION'>, seen: Seen, now: Version): Outcome {
  const names = operation.request.names.filter((name) => findStep(now.trigger, name));
  const inside = names.flatMap((name) => insideOf(now, name));
  const known = seen.inside?.filter(({ name }) => inside.some((each) => each.name === name));
  if (names.length > 0 && !isUnchanged(known, inside)) {
    return { dropped: 'changed' };
  }
  return { operation: names.length === 0 ? undefined : { ...operation, request: { names } } };
}

function moved(operation: Of<'MOVE_ACTION'>, seen: Seen, now: Version): Outcome {
  const { name, newParentStep, branchIndex } = operation.request;
  const step = findStep(now.trigger, name);
  const at = branchIndex === undefined ? undefined : branchNow(seen, now, newParentStep, branchIndex);
  if (
    !step ||
    !findStep(now.trigger, newParentStep) ||
    isInside(step, newParentStep) ||
    (branchIndex !== undefined && at === undefined)
  ) {
    return { dropped: 'removed' };
  }
  return {
    operation: { ...operation, request: { ...operation.request, ...(at === undefined ? {} : { branchIndex: at }) } },
  };
}

function branched(
  operation: Of<'ADD_BRANCH'> | Of<'DELETE_BRANCH'> | Of<'DUPLICATE_BRANCH'> | Of<'MOVE_BRANCH'>,
  seen: Seen,
  now: Version,
): Outcome {
  const { stepName } = operation.request;
  const branches: Branch[] | undefined = findStep(now.trigger, stepName)?.settings.branches;
  const place = (index: number): number | undefined => branchNow(seen, now, stepName, index);
  if (!branches) {
    return { dropped: 'removed' };
  }
  switch (operation.type) {
    case 'ADD_BRANCH': {
      const { branchIndex } = operation.request;
      const before = place(branchIndex - 1);
      const last = Math.max(0, branches.length - 1);
      const at = place(branchIndex) ?? (before === undefined ? Math.min(branchIndex, last) : before + 1);
      return { operation: { ...operation, request: { ...operation.request, branchIndex: at } } };
    }
    case 'DUPLICATE_BRANCH': {
      const at = place(operation.request.branchIndex);
      return at === undefined
        ? { dropped: 'removed' }
        : { operation: { ...operation, request: { stepName, branchIndex: at } } };
    }
    case 'MOVE_BRANCH': {
      const [from, to] = [place(operation.request.sourceBranchIndex), place(operation.request.targetBranchIndex)];
      return from === undefined || to === undefined
        ? { dropped: 'removed' }
        : { operation: { ...operation, request: { stepName, sourceBranchIndex: from, targetBranchIndex: to } } };
    }
    case 'DELETE_BRANCH': {
      const { branchIndex } = operation.request;
      const at = place(branchIndex);
      if (at === undefined) {
        return { dropped: 'removed' };
      }
      const isSame =
        (!seen.branches || same(seen.branches[branchIndex], branches[at])) &&
        isUnchanged(seen.inside, branchOf(now, stepName, at));
      return isSame ? { operation: { ...operation, request: { stepName, branchIndex: at } } } : { dropped: 'changed' };
    }
  }
}

/** Notes follow the steps: edits of two writers that move a note are no conflict, and both moves are made. */
const moves = (base: Note['position'], mine: Note['position'], theirs: Note['position']): Note['position'] => ({
  x: theirs.x + mine.x - base.x,
  y: theirs.y + mine.y - base.y,
});

const isMove = (note: Note, before: Note | undefined): boolean =>
  before !== undefined && same([note.content, note.color, note.size], [before.content, before.color, before.size]);

function noted(
  operation: Of<'DELETE_NOTE'> | Extract<Operation, { type: 'ADD_NOTE' | 'UPDATE_NOTE' }>,
  seen: Seen,
  now: Version,
): Outcome {
  const { id } = operation.request;
  const found = now.notes.find((note) => note.id === id);
  if (!found) {
    return operation.type === 'DELETE_NOTE' || isMove(operation.request, seen.note) ? {} : { dropped: 'removed' };
  }
  const theirs = noteOf(found);
  const base = seen.note ?? theirs;
  if (operation.type === 'DELETE_NOTE') {
    return same([base.content, base.color], [theirs.content, theirs.color]) ? { operation } : { dropped: 'changed' };
  }
  const clashes: Clash[] = [];
  const request = { ...theirs };
  const keep = <K extends keyof typeof request>(key: K): void => {
    // The two numbers of a size form one property.
    const parts = [base[key], operation.request[key], theirs[key]].map((part) => [part]);
    request[key] = (merge(parts[0], parts[1], parts[2], clashes, [key]) as [(typeof request)[K]])[0];
  };
  (['content', 'color', 'size'] as const).forEach(keep);
  request.position = moves(base.position, operation.request.position, theirs.position);
  return {
    operation: same(request, theirs) ? undefined : { ...operation, request },
    clashes: clashes.map((clash) => ({
      ...clash,
      mine: (clash.mine as unknown[])[0],
      theirs: (clash.theirs as unknown[])[0],
    })),
    subject: { kind: 'note', id },
  };
}
