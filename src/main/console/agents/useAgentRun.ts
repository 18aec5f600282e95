import { useEffect } from 'preact/hooks';
import { api } from '../base/api/client';
import { useQuery, type Query } from '../base/query';
import type { Run } from './model';

/** Polling interval of a live run: the channel has no events for runs of agents. */
const LOOK_MS = 1_000;

export function useAgentRun(id: string): Query<Run> {
  const run = useQuery<Run>(`agent run ${id}`, (signal) => api('GET /v1/agents/runs/{id}', { path: { id }, signal }));
  const live = run.value?.status === 'STREAMING' && !run.loading;
  useEffect(() => {
    if (!live) {
      return undefined;
    }
    const timer = setTimeout(run.reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [live]);
  return run;
}
