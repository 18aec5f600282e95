import { aboutOf, type Gesture } from './editing';
import { inverseOf } from './inverse';
import { apply, type Operation, type Version } from './operations';
import { renameEdit, type Renames } from './sync/rename';
import { editsOf, type Edit } from './sync/seen';

/** Maximum pause between changes of one property that form one gesture. */
const TOGETHER_MS = 1_200;
const UNDO_MAX = 200;

export interface History {
  undo: Gesture[];
  redo: Gesture[];
}

export function recorded(
  version: Version,
  operations: readonly Operation[],
  { undo, redo }: History,
  at: number,
): { edits: Edit[]; history: History } {
  let after = version;
  const inverse: Operation[] = [];
  for (const operation of operations) {
    inverse.unshift(...inverseOf(after, operation));
    after = apply(after, operation);
  }
  const about = operations.length === 1 ? aboutOf(operations[0]!) : '';
  const last = undo.at(-1);
  const together =
    about !== '' && last?.about === about && at - last.at < TOGETHER_MS && redo.length === 0 ? last : undefined;
  const edits = editsOf(version, operations);
  const gesture: Gesture = {
    forth: together ? edits.map(({ operation }) => ({ operation, seen: together.forth[0]?.seen ?? {} })) : edits,
    back: editsOf(after, together ? together.back.map(({ operation }) => operation) : inverse),
    about,
    at,
  };
  return { edits, history: { undo: [...(together ? undo.slice(0, -1) : undo), gesture].slice(-UNDO_MAX), redo: [] } };
}

/**
 * History after changes of other writers: later changes of a property start new gestures, because the values to return
 * to include the other changes.
 *
 * @param renames new names of steps whose old names other writers took
 */
export function afterOthers({ undo, redo }: History, renames: Renames): History {
  const ended = undo.map((each, index) => (index === undo.length - 1 ? { ...each, about: '' } : each));
  return renames.size === 0 ? { undo: ended, redo } : renamed({ undo: ended, redo }, renames);
}

function renamed({ undo, redo }: History, renames: Renames): History {
  const again = (gestures: Gesture[]): Gesture[] =>
    gestures.map((each) => ({
      ...each,
      forth: each.forth.map((edit) => renameEdit(edit, renames)),
      back: each.back.map((edit) => renameEdit(edit, renames)),
    }));
  return { undo: again(undo), redo: again(redo) };
}
