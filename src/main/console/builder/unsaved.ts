import { kept } from '../base/kept';
import type { Operation } from './operations';

/** What a flow's server has not confirmed yet, in this browser: it survives a reload, and a server that is away. */
const KEY = 'millrace.flow.';

export function keepUnsaved(flowId: string, pending: readonly Operation[]): void {
  if (pending.length > 0) {
    kept.set(KEY + flowId, JSON.stringify(pending));
  } else {
    kept.forget(KEY + flowId);
  }
}

export function readUnsaved(flowId: string): Operation[] {
  try {
    return JSON.parse(kept.get(KEY + flowId) ?? '[]') as Operation[];
  } catch {
    kept.forget(KEY + flowId);
    return [];
  }
}
