import { api } from '../base/api/client';
import { createStore } from '../base/store';

/** Number of approvals of a project that the user can decide; undefined while it is unknown. */
export const pending = createStore<{ projectId: string; count: number } | undefined>(undefined);

let requests = 0;

/** Requests the number again. The badge disappears when the request fails: an outdated number would mislead. */
export async function refreshPending(projectId: string): Promise<void> {
  const request = ++requests;
  const found = await api('GET /v1/approvals/count', { query: { projectId } });
  if (request === requests) {
    pending.set(found.ok ? { projectId, count: found.value } : undefined);
  }
}
