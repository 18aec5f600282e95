import type { Answer } from '../base/api/client';
import { apply, type Operation, type Version } from './operations';
import type { Step } from './steps';
import type { Conflict } from './sync/rebase';
import type { Renames } from './sync/rename';
import type { Edit } from './sync/seen';
import type { Pending } from './unsaved';

export type Flow = Answer<'GET /v1/flows/{id}'>;

export type Saving = 'saved' | 'saving' | 'waiting' | 'offline';

export interface Editing {
  /** Flow as the server returned it last. */
  flow: Flow;
  /** Edits that the server has not confirmed yet, in order. */
  pending: Pending[];
  /** Version of the server with the pending edits: the shown one. */
  version: Version;
  saving: Saving;
  savedAt: number;
  undo: Gesture[];
  redo: Gesture[];
  /** Properties that this editor and another writer changed, to different values; the user decides. */
  conflicts: Conflict[];
  /** Latest renames of steps of this editor, because another writer took their names. */
  renames: Renames;
  /** Other user who edits the flow: this editor is read-only until that ends or the user takes over. */
  lockedBy?: string | undefined;
}

export interface Gesture {
  forth: Edit[];
  back: Edit[];
  about: string;
  at: number;
}

export const versionOf = (flow: Flow): Version => {
  const { displayName, trigger, notes } = flow.version;
  return { displayName, trigger: trigger as Step, notes: (notes ?? []) as Version['notes'] };
};

export const shown = (flow: Flow, pending: readonly Edit[]): Version =>
  pending.map((each) => each.operation).reduce(apply, versionOf(flow));

/** True if a flow was read from the server before another one was: each edit gives its version a later time. */
export const isOlder = (flow: Flow, other: Flow): boolean =>
  Date.parse(flow.version.updated) < Date.parse(other.version.updated);

/** True if an operation replaces properties, so that the same operation again changes nothing. */
export const isUpdate = (operation: Operation): boolean =>
  operation.type === 'UPDATE_ACTION' ||
  operation.type === 'UPDATE_TRIGGER' ||
  operation.type === 'CHANGE_NAME' ||
  operation.type === 'UPDATE_NOTE';

/** Subject of an update: consecutive updates of one subject are merged. */
export const aboutOf = (operation: Operation): string => {
  const request = operation.request as { name?: string; id?: string };
  return isUpdate(operation) ? `${operation.type} ${request.name ?? request.id ?? ''}` : '';
};
