import { kept } from '../base/kept';
import { unique } from '../base/unique';
import type { Operation } from './operations';

/** An operation that the server has not confirmed. Under its key the server applies it once, however often it is sent. */
export interface Pending {
  key: string;
  operation: Operation;
}

/** Unconfirmed operations in this browser, by user and flow: they survive a reload, and a server that is unavailable. */
const KEY = 'millrace.unsaved.';

const nameOf = (userId: string, flowId: string): string => `${KEY}${userId}.${flowId}`;

export const pendingOf = (operation: Operation): Pending => ({ key: unique(), operation });

export function keepUnsaved(userId: string, flowId: string, pending: readonly Pending[]): void {
  if (pending.length > 0) {
    kept.set(nameOf(userId, flowId), JSON.stringify(pending));
  } else {
    kept.forget(nameOf(userId, flowId));
  }
}

export function readUnsaved(userId: string, flowId: string): Pending[] {
  try {
    return JSON.parse(kept.get(nameOf(userId, flowId)) ?? '[]') as Pending[];
  } catch {
    kept.forget(nameOf(userId, flowId));
    return [];
  }
}
