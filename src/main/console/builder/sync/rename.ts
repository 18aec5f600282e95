import type { Operation } from '../operations';
import type { Edit, Seen } from './seen';

/** New names of steps by their old ones. */
export type Renames = ReadonlyMap<string, string>;

const NAMES = new Set(['name', 'names', 'parentStep', 'newParentStep', 'stepName', 'added']);

/** Renames steps in references: `{{step_1.output}}`. */
function inText(text: string, renames: Renames): string {
  return text.replace(/\{\{(.*?)\}\}/gs, (token) =>
    token.replace(/\bstep_\d+\b|\b\w+\b/g, (word) => renames.get(word) ?? word),
  );
}

/** @param isName true if a text is the name of a step, as opposed to a value with references */
function renamed(value: unknown, renames: Renames, isName: boolean): unknown {
  if (typeof value === 'string') {
    return isName ? (renames.get(value) ?? value) : inText(value, renames);
  }
  if (Array.isArray(value)) {
    return value.map((part) => renamed(part, renames, isName));
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === 'settings' ? inSettings(part, renames) : renamed(part, renames, NAMES.has(key)),
    ]),
  );
}

/** Settings contain the author's values: a text there is never a step name by itself. */
function inSettings(value: unknown, renames: Renames): unknown {
  if (typeof value === 'string') {
    return inText(value, renames);
  }
  if (Array.isArray(value)) {
    return value.map((part) => inSettings(part, renames));
  }
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inSettings(part, renames)]))
    : value;
}

export function renameOperation(operation: Operation, renames: Renames): Operation {
  return renames.size === 0 ? operation : (renamed(operation, renames, false) as Operation);
}

export function renameEdit(edit: Edit, renames: Renames): Edit {
  return renames.size === 0
    ? edit
    : { operation: renameOperation(edit.operation, renames), seen: renamed(edit.seen, renames, false) as Seen };
}
