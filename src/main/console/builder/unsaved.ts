import { parseJson } from '../base/json';
import { kept } from '../base/kept';
import { unique } from '../base/unique';
import type { Edit } from './sync/seen';

/** Edit that the server has not confirmed. The server applies it once per key. */
export interface Pending extends Edit {
  key: string;
  /** Time of the version to which the edit was sent first: while it is set, the server may have applied the edit. */
  sentTo?: string;
}

/** Unconfirmed edits in the local storage, by user and flow: they survive a reload and an unavailable server. */
const KEY = 'millrace.unsaved.';

const nameOf = (userId: string, flowId: string): string => `${KEY}${userId}.${flowId}`;

export const pendingOf = ({ operation, seen }: Edit): Pending => ({ key: unique(), operation, seen });

export function keepUnsaved(userId: string, flowId: string, pending: readonly Pending[]): void {
  if (pending.length > 0) {
    kept.set(nameOf(userId, flowId), JSON.stringify(pending));
  } else {
    kept.forget(nameOf(userId, flowId));
  }
}

export function readUnsaved(userId: string, flowId: string): Pending[] {
  try {
    const pending = parseJson(kept.get(nameOf(userId, flowId)) ?? '[]') as Pending[];
    return pending.map((each) => ({ ...each, seen: (each as Partial<Pending>).seen ?? {} }));
  } catch {
    kept.forget(nameOf(userId, flowId));
    return [];
  }
}
